/** Every kind of SMS in every language, within the limits of the carriers. */
import { LANGUAGES } from '@karaar/contracts/limits';
import { NOTIFICATION_KINDS, SMS_KINDS } from '@karaar/contracts/notifications/kinds';
import { pathOf } from '../deliveries/path-of.ts';
import { smsTemplates, writeSms } from './sms-texts.ts';

const ID = '0193a1b2-0000-7000-8000-000000000001';
const SITE = 'https://karaar.example';
const kinds = NOTIFICATION_KINDS.filter((kind) => kind in SMS_KINDS);
const matrix = kinds.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));
const write = (kind: (typeof kinds)[number], language: (typeof LANGUAGES)[number]) =>
  writeSms('+919000000001', language, { kind, amountPaise: 12_345_050, link: SITE + pathOf(kind, ID) });

/** GSM 03.38: one septet for each, two for those of the extension. */
const GSM = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùü]*$/;

/** Returns how many SMS a text takes: GSM 160 or 153 each, other scripts 70 or 67. */
function segments(text: string): number {
  const [one, each] = GSM.test(text) ? [160, 153] : [70, 67];
  return text.length <= one ? 1 : Math.ceil(text.length / each);
}

it.each(matrix)('%s in %s is complete, short, and has one link, to Karaar', (kind, language) => {
  const { text, variables } = write(kind, language);
  expect(text).toMatch(/^Karaar: /);
  expect(text).not.toMatch(/\{\w+\}|undefined|null|NaN/);
  expect(text.match(/https?:\/\/\S+/g)).toEqual([variables['link']]);
  expect(text.endsWith(`: ${variables['link']}`)).toBe(true);
  expect(new URL(variables['link'] ?? '').origin).toBe(SITE);
  if (language === 'en') expect(GSM.test(text)).toBe(true);
  else expect(text).not.toBe(write(kind, 'en').text);
  expect(segments(text)).toBeLessThanOrEqual(language === 'en' ? 1 : 3);
});

it('counts a text of 161 letters as two SMS, and one of 71 other letters as well', () => {
  expect(['a'.repeat(160), 'a'.repeat(161), 'अ'.repeat(70), 'अ'.repeat(71)].map(segments)).toEqual([
    1, 2, 1, 2,
  ]);
});

it('names a template for each kind and language', () => {
  expect(new Set(smsTemplates).size).toBe(matrix.length);
  expect(smsTemplates).toContain(write('your_turn', 'hi').template);
  for (const name of smsTemplates) expect(name).toMatch(/^[a-z0-9-]+$/);
});

it('writes an amount in rupees that every phone can show', () => {
  expect(write('share_due', 'en').text).toContain('Rs 1,23,450.50');
});

it('has no SMS for a kind that does not come by SMS', () => {
  expect(() => writeSms('+919000000001', 'en', { kind: 'invited', amountPaise: 0, link: SITE })).toThrow(
    'invited has no SMS',
  );
});
