import { Writable } from 'node:stream';
import fc from 'fast-check';
import { withTraceparent } from '../telemetry/index.ts';
import { createLogger, redact } from './index.ts';

function recorder(level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return {
    logger: createLogger({ name: 'test', level, destination }),
    text: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>,
  };
}

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJlLWJ5dGVz';

describe('createLogger', () => {
  it('writes one JSON line with time, level, name and message', () => {
    const { logger, last } = recorder();
    logger.info({ documentId: 'd1' }, 'Finalized');
    expect(last()).toMatchObject({ level: 'info', name: 'test', documentId: 'd1', msg: 'Finalized' });
    expect(Date.parse(String(last().time))).not.toBeNaN();
  });

  it('never writes the value of a sensitive name, whatever its depth and spelling', () => {
    const names = [
      'otp',
      'access_token',
      'accessToken',
      'Access-Token',
      'password',
      'govt_id_number',
      'phone_no',
      'authorization',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer({ min: 0, max: 4 }), (name, depth) => {
        const { logger, text } = recorder();
        let value: unknown = { [name]: 'THE-SECRET' };
        for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { inner: value };
        logger.info({ value }, 'x');
        logger.child({ value }).info('y');
        expect(text()).not.toContain('THE-SECRET');
        expect(text()).toContain('[redacted]');
      }),
    );
  });

  it('removes tokens, inlined images and passwords from texts', () => {
    const { logger, text } = recorder();
    logger.info({ note: `got ${JWT}` }, `header was Bearer ${JWT}`);
    logger.warn('image data:image/png;base64,iVBORw0KGgoAAAANSUhEUg== end');
    const address = (password: string) => `postgres://karaar:${password}@db/wallet`;
    logger.warn({ err: new Error(`connect ${address('hunter2')} failed`) }, 'No database');
    expect(text()).not.toMatch(/eyJ|iVBOR|hunter2/);
    expect(text()).toContain(address('[redacted]'));
  });

  it('logs an error with its stack, code and cause but without a driver’s extra properties', () => {
    const { logger, last, text } = recorder();
    const driver = Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: 'Key (phone_no)=(+919999999999) already exists.',
      parameters: ['+919999999999'],
    });
    logger.error({ err: new Error('Not saved', { cause: driver }) }, 'x');
    expect(last().err).toMatchObject({
      message: 'Not saved',
      stack: expect.stringContaining('logging.test'),
      cause: { message: 'duplicate key value', code: '23505' },
    });
    expect(text()).not.toContain('9999999999');
  });

  it('logs a bare error as an error', () => {
    const { logger, last } = recorder();
    logger.error(new Error('alone'));
    expect(last()).toMatchObject({ msg: 'alone', err: { message: 'alone' } });
  });

  it('adds the current trace id', () => {
    const { logger, last } = recorder();
    const traceId = 'a'.repeat(32);
    withTraceparent(`00-${traceId}-${'b'.repeat(16)}-01`, () => logger.info('in'));
    expect(last().traceId).toBe(traceId);
    logger.info('out');
    expect(last()).not.toHaveProperty('traceId');
  });
});

describe('redact', () => {
  it('limits depth and width, and does not walk instances', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(JSON.stringify(redact(circular)).length).toBeLessThan(200);
    expect(redact(Array.from({ length: 1_000 }, () => 1))).toHaveLength(100);
    expect(redact({ map: new Map(), bytes: Buffer.from('abc') })).toEqual({
      map: '[Map]',
      bytes: '[3 bytes]',
    });
  });

  it('does not change its argument', () => {
    const given = { token: 'x' };
    redact(given);
    expect(given).toEqual({ token: 'x' });
  });
});
