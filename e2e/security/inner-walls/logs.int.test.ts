/** The check of logs finds the values that PostgreSQL writes without each of its three settings, and those of services. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking, type Backing } from '@karaar/testing/backing/backing';
import { PRIVATE_LOG } from '@karaar/testing/backing/postgres-log';
import pg from 'pg';
import { loggedValues, valuesIn } from './logs.ts';

describe('the log of PostgreSQL', () => {
  let dir: string;
  let backing: Backing;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'karaar-logs-'));
    backing = await startBacking({ stateDir: dir, only: ['postgres'], durable: false, env: {} });
  }, 60_000);
  afterEach(() => backing.stop({ remove: true }));

  const found = async () =>
    (await loggedValues(join(dir, 'logs'), backing.postgresUrl)).map(({ what }) => what.split(' (')[0]);
  async function without(setting: string, value: string): Promise<void> {
    const client = new pg.Client({ connectionString: backing.postgresUrl });
    await client.connect();
    await client.query(`alter role ${client.escapeIdentifier(client.user ?? '')} set ${setting} = ${value}`);
    await client.end();
  }

  it('has no values', async () => {
    expect(await found()).toEqual([]);
  });

  it.each([
    ['log_error_verbosity', "'default'", 'values of a row or of a key'],
    ['log_parameter_max_length', '-1', 'parameters of a statement'],
    ['log_parameter_max_length_on_error', '-1', 'parameters of a statement'],
  ])('has values without %s', async (setting, value, what) => {
    expect(Object.keys(PRIVATE_LOG)).toContain(setting);
    // Terse lines have no parameters; the two other settings apply to the other lines.
    await without('log_error_verbosity', "'default'");
    await without(setting, value);
    expect(await found()).toEqual(expect.arrayContaining([what, 'a phone number']));
  });
});

it.each([
  ['{"level":30,"to":"+919812345678"}', 'a phone number'],
  ['told 9812345678 once', 'a phone number'],
  ['{"msg":"mailed asha@example.in"}', 'an e-mail address'],
  ['authorization: Bearer abcdefghijklmnop1234', 'a token'],
  [`{"token":"eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.abc"}`, 'a token'],
  ['DETAIL:  Failing row contains (1, Asha).', 'values of a row or of a key'],
])('finds a value in the line %j', (line, what) => {
  expect(valuesIn('documents.log', `{}\n${line}`)).toEqual([
    { where: 'documents.log:2', what: `${what} (lines: 1)` },
  ]);
});

it('does not mistake times, ids, addresses of servers and figures for values', () => {
  const lines = [
    '{"level":30,"time":1764254321123,"reqId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","ms":0.9876543210}',
    '{"trace":"4bf92f3577b34da6a3ce929d0e0e4736","url":"postgresql://karaar:***@127.0.0.1:5432/karaar_auth"}',
    'LOG:  checkpoint complete: lsn=0/71234567, redo lsn=0/71234560',
  ];
  expect(valuesIn('auth.log', lines.join('\n'))).toEqual([]);
});
