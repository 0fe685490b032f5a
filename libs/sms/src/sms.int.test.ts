import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { baseEnv, loadConfig, refuseInProduction } from '@karaar/base/config';
import { createLogger } from '@karaar/observability/logging';
import { answerJson, startLoopback } from '@karaar/testing/providers/loopback';
import { kept, startClosing } from '@karaar/testing/servers/closing';
import { readMsg91Reports } from './status.ts';
import { createSmsSender, smsEnv, smsOptionsFromEnv, smsProductionRules, textTemplate } from './index.ts';

type Seen = { url: string; headers: IncomingMessage['headers']; body: string };
type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;

const TOO_BUSY: Behaviour = (res) => res.writeHead(429, { 'retry-after': '0' }).end('{"code":20429}');
const SILENT: Behaviour = () => undefined;
const DRIPPING: Behaviour = (res) => {
  res.writeHead(200);
  const timer = setInterval(() => res.write(' '), 50);
  res.once('close', () => clearInterval(timer));
};
const RESET: Behaviour = (res) => res.socket?.resetAndDestroy();
const json =
  (status: number, body: unknown): Behaviour =>
  (res) =>
    answerJson(res, status, body);

const TWILIO_OK = json(201, { sid: `SM${'0'.repeat(32)}`, status: 'queued', error_code: null });
const MSG91_OK = json(200, { type: 'success', message: '5762846b4f8d285d378b4567' });

const code = textTemplate('sign-in-code', (v: { code: string }) => `${v.code} is your code.`, {
  repeatable: true,
});
const textOf = textTemplate('signed', (v: { name: string }) => `${v.name} has signed.`, {
  repeatable: false,
});
const PHONE = '+919000000001';

/** Starts a provider on loopback that follows `plan` call by call, then repeats its last entry. */
async function provider(...plan: Behaviour[]) {
  const seen: Seen[] = [];
  const { url, stop } = await startLoopback(({ req, res, body }) => {
    seen.push({ url: req.url ?? '', headers: req.headers, body });
    (plan[Math.min(seen.length, plan.length) - 1] ?? SILENT)(res, req);
  });
  return { seen, url, stop };
}

const lines: string[] = [];
const logger = createLogger({
  name: 'sms-test',
  level: 'debug',
  destination: { write: (line: string) => void lines.push(line) },
});

const env = (extra: Record<string, string>) =>
  loadConfig(Type.Object(smsEnv), {
    SMS_ACCOUNT_SID: 'AC123',
    SMS_AUTH_TOKEN: 'secret',
    SMS_TEMPLATES: 'sign-in-code=65f0, signed=65f1',
    SMS_TIMEOUT_MS: '20000',
    ...extra,
  });

/** Sends through a provider that follows the plan; returns `sent` or the outcome of the error. */
async function outcomeOf(which: 'twilio' | 'msg91', message: ReturnType<typeof code>, ...plan: Behaviour[]) {
  const stub = await provider(...plan);
  // Only a provider that never ends its answer is given up: a busy machine may keep the others waiting.
  const endless = plan.some((each) => each === SILENT || each === DRIPPING);
  const short: Record<string, string> = endless ? { SMS_TIMEOUT_MS: '1000' } : {};
  const sender = createSmsSender(
    smsOptionsFromEnv(env({ SMS_PROVIDER: which, SMS_API_URL: stub.url, ...short }), ['sign-in-code']),
    logger,
    { pauseMs: 5 },
  );
  try {
    const outcome = await sender.send(message).then(
      () => 'sent',
      (error: unknown) => {
        expect(error).toMatchObject({ status: 503, code: 'sms_unavailable' });
        expect(String(error)).not.toMatch(/9000000001|ABC234|secret/);
        return String(Reflect.get(error as object, 'outcome'));
      },
    );
    return { outcome, seen: stub.seen };
  } finally {
    await sender.close();
    await stub.stop();
  }
}

describe('the request', () => {
  it('is a form with basic authentication for Twilio', async () => {
    const { outcome, seen } = await outcomeOf('twilio', code(PHONE, { code: 'ABC234' }), TWILIO_OK);
    expect(outcome).toBe('sent');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toBe('/2010-04-01/Accounts/AC123/Messages.json');
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC123:secret').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
      To: PHONE,
      From: 'KARAAR',
      Body: 'ABC234 is your code.',
    });
  });

  it('is the approved template and its variables for MSG91', async () => {
    const { outcome, seen } = await outcomeOf('msg91', code(PHONE, { code: 'ABC234' }), MSG91_OK);
    expect(outcome).toBe('sent');
    expect(seen[0]?.url).toBe('/api/v5/flow');
    expect(seen[0]?.headers['authkey']).toBe('secret');
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      template_id: '65f0',
      sender: 'KARAAR',
      short_url: '0',
      recipients: [{ mobiles: '919000000001', code: 'ABC234' }],
    });
  });

  it('carries a signed id for MSG91’s reports if the text has an address for reports', async () => {
    const statusUrl = 'https://k.example/api/x/0193a1b2-0000-7000-8000-00000000ab01/twilio-webhook';
    const { seen } = await outcomeOf('msg91', { ...code(PHONE, { code: 'ABC234' }), statusUrl }, MSG91_OK);
    const { recipients } = JSON.parse(seen[0]?.body ?? '') as { recipients: { CRQID: string }[] };
    const report = JSON.stringify({ CRQID: recipients[0]?.CRQID, status: '1' });
    expect(readMsg91Reports(report, 'secret')).toEqual([
      { id: '0193a1b2-0000-7000-8000-00000000ab01', report: 'delivered' },
    ]);
  });
});

describe.each(['twilio', 'msg91'] as const)('%s', (which) => {
  const OK = which === 'twilio' ? TWILIO_OK : MSG91_OK;
  const aCode = code(PHONE, { code: 'ABC234' });
  const aText = textOf(PHONE, { name: 'Asha' });

  it('retries any message that was certainly not accepted', async () => {
    for (const message of [aCode, aText]) {
      const { outcome, seen } = await outcomeOf(which, message, TOO_BUSY, TOO_BUSY, OK);
      expect({ outcome, times: seen.length }).toEqual({ outcome: 'sent', times: 3 });
    }
  });

  it('sends although the provider closes the connection of an earlier message', async () => {
    const closing = await startClosing(
      which === 'twilio'
        ? `{"sid":"SM${'0'.repeat(32)}","status":"queued","error_code":null}`
        : '{"type":"success","message":"5762846b4f8d285d378b4567"}',
    );
    const options = env({ SMS_PROVIDER: which, SMS_API_URL: closing.url });
    const sender = createSmsSender(smsOptionsFromEnv(options, ['sign-in-code']), logger);
    try {
      await sender.send(aText);
      await kept();
      await expect(sender.send(aText)).resolves.toBeUndefined();
    } finally {
      await sender.close();
      closing.close();
    }
  });

  it('never retries a text message with an unknown outcome, but retries a code', async () => {
    for (const doubtful of [RESET, SILENT, json(500, {}), json(503, {}), json(200, 'not the provider')]) {
      const noticed = await outcomeOf(which, aText, doubtful, OK);
      expect({ outcome: noticed.outcome, times: noticed.seen.length }).toEqual({
        outcome: 'unknown',
        times: 1,
      });
      const coded = await outcomeOf(which, aCode, doubtful, OK);
      expect({ outcome: coded.outcome, times: coded.seen.length }).toEqual({ outcome: 'sent', times: 2 });
    }
  });

  it('treats a rejection as final, and gives up after three attempts', async () => {
    for (const status of [400, 401, 403, 404]) {
      const { outcome, seen } = await outcomeOf(
        which,
        aCode,
        json(status, { code: 21_211, type: 'error' }),
        OK,
      );
      expect({ outcome, times: seen.length }).toEqual({ outcome: 'refused', times: 1 });
    }
    const down = await outcomeOf(which, aCode, json(500, {}));
    expect({ outcome: down.outcome, times: down.seen.length }).toEqual({ outcome: 'unknown', times: 3 });
  });

  it('does not wait longer than a user would, even if the provider asks for it', async () => {
    const wait: Behaviour = (res) => res.writeHead(429, { 'retry-after': '60' }).end('{}');
    const { outcome, seen } = await outcomeOf(which, aCode, wait, OK);
    expect({ outcome, times: seen.length }).toEqual({ outcome: 'not-sent', times: 1 });
  });

  it('times out on a response that arrives byte by byte', async () => {
    const before = performance.now();
    expect((await outcomeOf(which, aText, DRIPPING)).outcome).toBe('unknown');
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

it('treats MSG91’s error in a 200 response as an error', async () => {
  const refused = json(200, { type: 'error', message: 'Invalid template', code: '211' });
  expect((await outcomeOf('msg91', code(PHONE, { code: 'ABC234' }), refused)).outcome).toBe('refused');
});

describe('a refused number', () => {
  const ID = '0193a1b2-0000-7000-8000-00000000ab01';
  const refusedAs = async (
    which: 'twilio' | 'msg91',
    answer: Behaviour,
    statusUrl = `https://k.example/${ID}`,
  ) => {
    const stub = await provider(answer);
    const noted: [string, string][] = [];
    const sender = createSmsSender(
      smsOptionsFromEnv(env({ SMS_PROVIDER: which, SMS_API_URL: stub.url }), ['signed']),
      logger,
      { pauseMs: 5, note: async (...report) => void noted.push(report) },
    );
    await expect(sender.send({ ...textOf(PHONE, { name: 'Asha' }), statusUrl })).rejects.toThrow();
    await sender.close();
    await stub.stop();
    return noted;
  };
  const msg91Error = (message: string) => json(200, { type: 'error', message });

  it.each([
    ['twilio', json(400, { code: 21_211 }), 'unknown_number'],
    ['twilio', json(400, { code: 21_614 }), 'unknown_number'],
    ['twilio', json(400, { code: 21_610 }), 'blocked'],
    ['twilio', json(400, { code: 21_612 }), 'unreachable'],
    ['twilio', json(201, { sid: 'SM1', status: 'failed', error_code: 30_007 }), 'blocked'],
    ['msg91', json(400, { type: 'error', message: 'Invalid mobile number' }), 'unknown_number'],
    ['msg91', msg91Error('Number is in NDNC'), 'blocked'],
    ['msg91', msg91Error('Mobile number blocked'), 'blocked'],
  ] as const)('is noted with its cause (%s, case %#)', async (which, answer, cause) => {
    expect(await refusedAs(which, answer)).toEqual([[ID, cause]]);
  });

  it.each([
    ['twilio', json(401, { code: 20_003 })],
    ['twilio', json(429, { code: 20_429 })],
    ['twilio', json(500, { code: 21_211 })],
    ['msg91', msg91Error('Template ID Missing or Invalid Template')],
    ['msg91', json(401, { type: 'error', message: 'Authentication failure' })],
  ] as const)(
    'is not noted for a fault that is ours or the provider’s (%s, case %#)',
    async (which, answer) => {
      expect(await refusedAs(which, answer)).toEqual([]);
    },
  );

  it('is not noted for a text without an address for reports', async () => {
    expect(await refusedAs('twilio', json(400, { code: 21_211 }), '')).toEqual([]);
  });
});

it('treats an unreachable provider as certainly not sent', async () => {
  const stub = await provider(SILENT);
  await stub.stop();
  const sender = createSmsSender(
    smsOptionsFromEnv(env({ SMS_PROVIDER: 'twilio', SMS_API_URL: stub.url }), []),
    logger,
    { pauseMs: 5 },
  );
  await expect(sender.send(textOf(PHONE, { name: 'Asha' }))).rejects.toMatchObject({ outcome: 'not-sent' });
  await sender.close();
});

it('logs no phone, text or key', () => {
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.join('\n')).not.toMatch(/9000000001|ABC234|Asha|secret/);
});

describe('configuration', () => {
  it('names the missing settings of the chosen provider', () => {
    const without = (extra: Record<string, string>) => () =>
      smsOptionsFromEnv(loadConfig(Type.Object(smsEnv), { SMS_AUTH_TOKEN: 't', ...extra }), ['signed']);
    expect(without({})).toThrow(/SMS_ACCOUNT_SID/);
    expect(without({ SMS_PROVIDER: 'msg91' })).toThrow(/SMS_TEMPLATES has no template id for signed/);
    expect(without({ SMS_PROVIDER: 'sandbox' })).toThrow(/SMS_API_URL/);
    expect(without({ SMS_PROVIDER: 'msg91', SMS_TEMPLATES: 'signed=1' })()).toMatchObject({
      provider: 'msg91',
      apiUrl: 'https://control.msg91.com',
    });
  });

  it('rejects the sandbox and plain http in production', () => {
    const production = (extra: Record<string, string>) => () =>
      refuseInProduction(
        loadConfig(Type.Object({ ...baseEnv, ...smsEnv }), {
          NODE_ENV: 'production',
          SERVICE_NAME: 'x',
          PORT: '1',
          SMS_AUTH_TOKEN: 't',
          ...extra,
        }),
        smsProductionRules(),
      );
    expect(production({ SMS_PROVIDER: 'sandbox', SMS_API_URL: 'https://x' })).toThrow(/SMS_PROVIDER/);
    expect(production({ SMS_API_URL: 'http://127.0.0.1:1' })).toThrow(/SMS_API_URL/);
    expect(production({ SMS_PROVIDER: 'msg91' })).not.toThrow();
  });
});
