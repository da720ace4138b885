import { NodeFailure } from './node-failure.js';

/** No node was asked, and one may be shortly. What it says is meant for whoever called. */
export class LaterFailure extends NodeFailure {}
