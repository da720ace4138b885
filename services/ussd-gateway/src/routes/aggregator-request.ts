import type { FastifyRequest } from 'fastify';
import type { Door } from '../aggregators/aggregator.js';

/** The parts of a request as they were sent, not judged yet: the body or the query, and what stands in the path. */
export function rawOf(door: Door, request: FastifyRequest): unknown {
  const raw = door.method === 'GET' ? request.query : request.body;
  if (door.inPath.length === 0) return raw;
  const fields = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  return { ...fields, ...(request.params as object) };
}
