import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import './window.fixture.js';

// A page as tests use it: what they have rendered is gone after each of them.
afterEach(() => cleanup());
