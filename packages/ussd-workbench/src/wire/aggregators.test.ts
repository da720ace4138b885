import { describe, expect, it } from 'vitest';
import { aggregatorIds, hangUpOf, hopOf, screenOf } from './aggregators.js';

const session = { id: 's-1', number: '+260971230567', code: '*384#', inputs: [] as readonly string[] };

describe('the screen in a reply', () => {
  it('continues with CON and closes with END, with all lines', () => {
    const shown = (status: number, body: string) => screenOf('canonical', { status, body });
    expect(shown(200, 'CON Welcome\n1. Go')).toEqual({ kind: 'CON', message: 'Welcome\n1. Go' });
    expect(shown(200, 'END Goodbye')).toEqual({ kind: 'END', message: 'Goodbye' });
    expect(shown(429, 'END Too many requests.')).toEqual({ kind: 'END', message: 'Too many requests.' });
  });

  it.each([
    [500, 'CON Welcome'],
    [200, 'CONTINUE'],
    [200, ''],
    [0, 'No connection.'],
    [503, '{"statusCode":503}'],
  ])("is the network's text for %d %j", (status, body) => {
    expect(screenOf('canonical', { status, body }).kind).toBe('failed');
  });

  it.each([
    ['hubtel', '{"Message":"Hi","Type":"response"}', 'CON'],
    ['hubtel', '{"Message":"Hi","Type":"release"}', 'END'],
    ['arkesel', '{"message":"Hi","continueSession":true}', 'CON'],
    ['nalo', '{"MSG":"Hi","MSGTYPE":false}', 'END'],
    ['infobip', '{"ussdMenu":"Hi","shouldClose":false}', 'CON'],
    ['moolre', '{"message":"Hi","reply":false}', 'END'],
    ['korba', '{"message":"Hi","ussdServiceOp":2}', 'CON'],
    ['jaza', 'END Hi', 'END'],
  ] as const)('of %s is read as that gateway reads it: %s', (aggregator, body, kind) => {
    expect(screenOf(aggregator, { status: 200, body })).toEqual({ kind, message: 'Hi' });
  });

  it('of an aggregator is empty if its form is another', () => {
    for (const id of ['hubtel', 'arkesel', 'nalo', 'infobip'] as const) {
      for (const body of ['CON Welcome', '{}', 'null']) expect(screenOf(id, { status: 200, body }).kind).toBe('failed');
    }
  });
});

describe('a hop', () => {
  it('accumulates inputs if the aggregator does, else has the last input', () => {
    const later = { ...session, inputs: ['1', '2'] };
    expect(hopOf('canonical', session).body).toContain('"text":""');
    expect(hopOf('canonical', later).body).toContain('"text":"1*2"');
    expect(hopOf('africastalking', later).body).toContain('text=1*2');
    expect(hopOf('nalo', session).body).toContain('"USERDATA":"*384#"');
    expect(hopOf('nalo', later).body).toContain('"USERDATA":"2"');
    expect(hopOf('hubtel', later).body).toContain('"Sequence":3');
    expect(hopOf('jaza', later).path).toContain('INPUT=1*2');
    expect(hopOf('korba', later).body).toContain('"ussdServiceOp":18,"ussdString":"2"');
    expect(hopOf('moolre', session).body).toContain('"message":"","extension":"384"');
    expect(hopOf('comviva', later)).toMatchObject({ method: 'GET', path: expect.stringContaining('input=2') });
  });

  it('goes to the endpoint of its aggregator, as do hang-ups', () => {
    for (const id of aggregatorIds) {
      const path = id === 'canonical' ? /^\/api\/ussd$/ : new RegExp(`^/api/ussd/${id}`);
      for (const { path: sent } of [hopOf(id, session), hangUpOf(id, session) ?? []].flat()) expect(sent).toMatch(path);
    }
    expect(hangUpOf('hubtel', session)?.body).toContain('"Type":"Release"');
    expect(hangUpOf('nalo', session)).toBeUndefined();
  });
});
