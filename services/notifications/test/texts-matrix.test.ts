/** Every kind on every channel in every language: a complete text with its parameters, or named as not offered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import {
  hasChannel,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from '@karaar/contracts/notifications/kinds';
import { cloneRoot } from '@karaar/testing/roots';
import { composeLetter } from '../src/features/mail/letter.ts';
import { pathOf } from '../src/features/deliveries/path-of.ts';
import { smsTemplates, writeSms } from '../src/features/sms/sms-texts.ts';
import { whatsappTemplates, writeWhatsapp } from '../src/features/whatsapp/whatsapp-texts.ts';

/** These have SMS of documents or auth, or need no haste. */
const NO_SMS: NotificationKind[] = [
  'invited',
  'reminded',
  'accepted',
  'admitted',
  'withdrawn',
  'handed_on',
  'party_renamed',
  'paid',
  'payment_reversed',
  'top_up_done',
  'passkey_added',
  'passkey_removed',
  'phone_move_asked',
  'phone_changed',
  'unread_chat',
];
const NOT_OFFERED: Record<NotificationChannel, NotificationKind[]> = {
  app: [],
  email: [],
  sms: NO_SMS,
  // A warning that cannot be switched off does not wait for the consent that Meta requires.
  whatsapp: [...NO_SMS, 'data_exported'],
};

const SITE = 'https://karaar.example';
const ID = '0193a1b2-0000-7000-8000-000000000001';
const [ACTOR, DOCUMENT, AMOUNT] = ['Vikram Shah', 'Lease of the shop', '1,23,450.50'];
const MONEY: NotificationKind[] = ['share_due', 'paid', 'payment_reversed', 'top_up_done', 'top_up_failed'];
const facts = {
  name: 'Asha Rao',
  actorName: ACTOR,
  documentId: ID,
  documentName: DOCUMENT,
  reason: 'The rent',
  amountPaise: 12_345_050,
  answerBy: null,
  nameInSubject: false,
  publicUrl: SITE,
};

const inApp = Object.fromEntries(
  LANGUAGES.map((language) => {
    const file = join(cloneRoot, 'apps/user-mfe/src/features/notifications/texts', `${language}.json`);
    return [language, JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>];
  }),
);

/** GSM 03.38: one septet for each, two for those of the extension. */
const GSM = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùü]*$/;

/** Returns how many SMS a text takes: GSM 160 or 153 each, other scripts 70 or 67. */
function segments(text: string): number {
  const [one, each] = GSM.test(text) ? [160, 153] : [70, 67];
  return text.length <= one ? 1 : Math.ceil(text.length / each);
}

/** Returns the texts of a message, after the checks of its channel. */
const CHANNELS: Record<NotificationChannel, (kind: NotificationKind, language: Language) => string[]> = {
  app: (kind, language) => {
    const values: Record<string, string> = { actor: ACTOR, document: DOCUMENT, amount: AMOUNT };
    const line = inApp[language]?.[`line_${kind}`] ?? '';
    return [line.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)];
  },
  email: (kind, language) => {
    const { subject, text, html } = composeLetter({ ...facts, kind, language });
    expect(subject).not.toContain('Lease');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toMatch(/<img|<script|url\(|src=|@import/);
    expect(html).toContain('prefers-color-scheme: dark');
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links).toHaveLength(2);
    for (const href of links) {
      expect(href.startsWith(`${SITE}/`)).toBe(true);
      expect(text).toContain(href);
    }
    return [text, html, subject];
  },
  sms: (kind, language) => {
    const link = SITE + pathOf(kind, ID);
    const { text } = writeSms('+919000000001', language, { kind, amountPaise: facts.amountPaise, link });
    expect(text).toMatch(/^Karaar: /);
    expect(text.match(/https?:\/\/\S+/g)).toEqual([link]);
    expect(text.endsWith(`: ${link}`)).toBe(true);
    if (language === 'en') expect(GSM.test(text)).toBe(true);
    expect(segments(text)).toBeLessThanOrEqual(language === 'en' ? 1 : 3);
    return [text];
  },
  whatsapp: (kind, language) => {
    const message = writeWhatsapp(language, { kind, amountPaise: facts.amountPaise });
    const { body = '' } =
      whatsappTemplates.find((one) => one.name === message.template && one.language === language) ?? {};
    // Meta refuses a body that begins or ends with a variable, and numbers that do not match.
    expect(body).toMatch(/^Karaar: .*[^}\s:]$/s);
    expect(body).not.toMatch(/https?:|Rs $/);
    expect(new Set(body.match(/\{\{\d\}\}/g)).size).toBe(message.parameters.length);
    return [message.parameters.reduce((text, value, at) => text.replace(`{{${at + 1}}}`, value), body)];
  },
};

const cells = NOTIFICATION_KINDS.flatMap((kind) =>
  NOTIFICATION_CHANNELS.flatMap((channel) => LANGUAGES.map((language) => [kind, channel, language] as const)),
);

it.each(cells)('%s by %s in %s is complete, or not offered', (kind, channel, language) => {
  const isOffered = !NOT_OFFERED[channel].includes(kind);
  expect(hasChannel(kind, channel)).toBe(isOffered);
  if (!isOffered) return;
  const texts = CHANNELS[channel](kind, language);
  const english = CHANNELS[channel](kind, 'en');
  for (const [at, text] of texts.entries()) {
    expect(text).not.toMatch(/^\s*$|\{\w+\}|\{\{|undefined|null|NaN/);
    if (language !== 'en') expect(text).not.toBe(english[at]);
    for (const value of [ACTOR, DOCUMENT, AMOUNT, SITE])
      expect([value, text.includes(value)]).toEqual([value, english[at]?.includes(value)]);
  }
  if (MONEY.includes(kind)) expect(texts[0]).toContain(AMOUNT);
});

it.each(['sms', 'whatsapp'] as const)('%s has no text for a kind that is not offered', (channel) => {
  for (const kind of NOT_OFFERED[channel])
    expect(() => CHANNELS[channel](kind, 'en')).toThrow(`${kind} has no`);
});

it('names a template for each SMS in each language, and for each WhatsApp message', () => {
  const offered = (channel: NotificationChannel) => NOTIFICATION_KINDS.length - NOT_OFFERED[channel].length;
  expect(new Set(smsTemplates).size).toBe(offered('sms') * LANGUAGES.length);
  for (const name of smsTemplates) expect(name).toMatch(/^[a-z0-9-]+$/);
  expect(new Set(whatsappTemplates.map(({ name }) => name)).size).toBe(offered('whatsapp'));
  for (const { name } of whatsappTemplates) expect(name).toMatch(/^[a-z0-9_]{1,512}$/);
});

it('counts a text of 161 letters as two SMS, and one of 71 other letters as well', () => {
  expect(['a'.repeat(160), 'a'.repeat(161), 'अ'.repeat(70), 'अ'.repeat(71)].map(segments)).toEqual([
    1, 2, 1, 2,
  ]);
});
