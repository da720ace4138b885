/** Loaded before a program, it tells the parent process how much CPU time and memory the program has used, when asked. */
import type { Usage } from './gateway-child.js';

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const usage: Usage = { cpuUs: user + system, rssBytes: rss, heapBytes: heapUsed };
  process.send?.(usage);
});
// The listener alone must not keep the program alive.
process.channel?.unref();
