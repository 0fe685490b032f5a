import { jest } from '@jest/globals';
import { authRoutes } from '@karaar/contracts/auth/http';
import { LANGUAGES, startLanguage } from '@karaar/i18n';
import fc from 'fast-check';
import { answerText, ApiError, toastText } from '../api-error.ts';
import { call } from '../call.ts';
import { errorText } from '../error-text.ts';
import { errorTexts } from './texts.ts';

const DEFAULT = 'लॉगिन नहीं हो सका';
const wrongCode = { detail: 'This code is wrong or has expired.', code: 'otp_wrong' };
const toast = (body: unknown, status = 400) => toastText(new ApiError(status, body), DEFAULT);

beforeAll(() => {
  Object.assign(globalThis, {
    document: { documentElement: {} },
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    window: new EventTarget(),
    reportError: () => undefined,
  });
});

describe('an error for readers of English', () => {
  beforeAll(() => startLanguage('en'));

  it("[ERROR-001] is the service's own text, whatever its code", async () => {
    await errorTexts.load();
    expect(toast(wrongCode)).toBe(wrongCode.detail);
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(toast(body)).toBe(errorText(body, DEFAULT));
      }),
    );
  });

  it('names the fields of a refused form as the screen does, not as the API', () => {
    const detail = [
      { loc: 'end_date', msg: 'must not be before the start' },
      { loc: ['body', 'page_details', 0, 'page_no'], msg: 'must be at least 1' },
      { loc: 'x', msg: 'is unknown' },
    ];
    expect(toast({ detail, code: 'validation' }, 422)).toBe(
      'End date: must not be before the start, Page details: must be at least 1, x: is unknown',
    );
  });

  it('a success is the server’s text, else the screen’s', () => {
    expect(answerText('The user is approved.', 'Approved')).toBe('The user is approved.');
    expect([answerText(undefined, 'Approved'), answerText(' ', 'Approved')]).toEqual([
      'Approved',
      'Approved',
    ]);
  });
});

describe('an error for readers of another language', () => {
  beforeAll(() => startLanguage('hi'));

  it("is the text of its code, once the first failing call has loaded the texts; else it is the service's text", async () => {
    expect(toast({ detail: 'Later', code: 'a_code_of_tomorrow' })).toBe('Later');
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response(JSON.stringify(wrongCode), { status: 400 }));
    const error: unknown = await call(authRoutes.login, { body: { phone_no: '1', otp: 'ABCDEF' } }).catch(
      (reason: unknown) => reason,
    );
    expect(toastText(error, DEFAULT)).toBe('यह कोड गलत है या इसका समय निकल गया है। नया कोड मँगाएँ।');
    expect(toast({ detail: 'Later', code: 'a_code_of_tomorrow' })).toBe('Later');
  });

  it('names the fields of a refused form, each once', () => {
    const detail = [
      { loc: 'email', msg: 'is not an e-mail address' },
      { loc: ['body', 'page_details', 0, 'page_no'], msg: 'must be at least 1' },
      { loc: 'page_details.1.page_no', msg: 'must be at least 1' },
    ];
    expect(toast({ detail, code: 'validation' }, 422)).toBe('कृपया जाँचें: ई-मेल, पन्नों की जानकारी');
    expect(toast({ detail: [{ loc: 'x', msg: 'y' }], code: 'validation' })).toBe('कृपया जाँचें: दी गई जानकारी');
  });

  it('names the refused file and the reason', () => {
    const refused = (code: string, file?: string) =>
      toast({ detail: [{ loc: 'raw_documents', msg: 'x', ...(file ? { file } : {}) }], code }, 422);
    expect(refused('file_locked', 'किराया 1.pdf')).toBe(
      'किराया 1.pdf पासवर्ड से बंद है। बिना पासवर्ड वाली कॉपी अपलोड करें।',
    );
    expect(refused('file_broken', 'a.pdf')).toContain('a.pdf');
    expect(refused('file_too_large', 'किराया 1.pdf')).toBe('किराया 1.pdf बहुत बड़ी है।');
    expect(refused('file_infected', 'a.pdf')).toContain('a.pdf');
    expect(refused('file_macros')).toBe('दस्तावेज़ में मैक्रो हैं। बिना मैक्रो के सेव करके फिर अपलोड करें।');
  });

  it('is the default without a detail', () => {
    expect([toast(null, 0), toast({}), toastText(new TypeError('x'), DEFAULT)]).toEqual([
      DEFAULT,
      DEFAULT,
      DEFAULT,
    ]);
  });

  it('a success is the screen’s text', () => {
    expect(answerText('The user is approved.', 'मंज़ूर')).toBe('मंज़ूर');
  });

  it('never throws and never shows an object, whatever the response', () => {
    const code = fc.oneof(
      fc.constantFrom('validation', 'otp_wrong', 'toString', '__proto__', ''),
      fc.string(),
    );
    const fault = fc.record({ loc: fc.oneof(fc.string(), fc.array(fc.anything())), msg: fc.anything() });
    const detail = fc.oneof(fc.anything(), fc.array(fc.oneof(fault, fc.anything())));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ code, detail })), (body) => {
        const text = toast(body);
        expect(text.trim()).not.toBe('');
        expect(text).not.toContain('[object');
      }),
    );
  });
});

describe('every language', () => {
  it.each(LANGUAGES)('%s has a text for every code of the table', async (language) => {
    await startLanguage(language);
    await errorTexts.load();
    for (const key of ['otp_wrong', 'internal', 'too_many_requests', 'unavailable'] as const) {
      expect(errorTexts.has(key)).toBe(true);
      expect(errorTexts.say(key)).not.toBe('');
    }
  });
});
