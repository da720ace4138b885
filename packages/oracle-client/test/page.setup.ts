// Import first: React reads the available events when it loads.
import './window.fixture.js';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Before each test file of `test/`: an empty page. Unmounts after each test.
localStorage.clear();
document.body.replaceChildren();
afterEach(() => cleanup());
