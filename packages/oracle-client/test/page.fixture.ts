// Import first: React reads the available events when it loads.
import './window.fixture.js';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// A page for tests; unmounts after each test.
afterEach(() => cleanup());
