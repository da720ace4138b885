// First: what React finds there as it is loaded decides which events it hears.
import './window.fixture.js';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// A page as tests use it: what they have rendered is gone after each of them.
afterEach(() => cleanup());
