/** E-mails to addresses without an account, as auth and documents request them. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import { LANGUAGES } from '@karaar/contracts/limits';
import { codeLetter, invitationLetter } from '../src/features/mail/contact-mails.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
beforeAll(async () => {
  api = await startApi('notifications-contacts', {
    refusal: (address) => (address.startsWith('unknown') ? 550 : undefined),
  });
}, 120_000);
afterAll(() => api.stop());

const TOKEN = 'a'.repeat(32);
const invitation = (to: string) =>
  api.world.ask(
    notificationsRpc.mailInvitation,
    { message_id: randomUUID(), to, language: 'en', sender: 'ABCD1234', token: TOKEN },
    'documents',
  );

it("writes an invitation with the sender's ID and a link to Karaar, without an unsubscribe header", async () => {
  expect(await invitation('stranger@example.org')).toEqual({ outcome: 'sent' });
  const [mail] = api.mail.mailbox.list('stranger@example.org');
  expect(mail?.subject).toBe('You are asked to agree on a document');
  expect(JSON.stringify(mail)).toContain(`http://karaar.test/invitation#${TOKEN}`);
  expect(JSON.stringify(mail)).toContain('ABCD1234');
  expect(JSON.stringify(mail)).not.toMatch(/List-Unsubscribe|notifications\/settings/i);
});

it('lets an address stop invitations by one POST of its mail program, and by a link to a page', async () => {
  const hash = 'h'.repeat(43);
  const stop_token = `email.${randomUUID()}.${hash}.${hash}`;
  const request = {
    message_id: randomUUID(),
    to: 'stops@example.org',
    language: 'en',
    sender: 'ABCD1234',
  } as const;
  await api.world.ask(notificationsRpc.mailInvitation, { ...request, token: TOKEN, stop_token }, 'documents');
  const [mail] = api.mail.mailbox.list('stops@example.org');
  expect(mail?.headers).toMatchObject({
    'list-unsubscribe': `<http://karaar.test/api/documents/invitations/unsubscribe?token=${stop_token}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  const page = `http://karaar.test/invitation/stop#${stop_token}`;
  expect(mail?.text).toContain(`Stop invitations to this address:\n${page}`);
  expect(mail?.html).toContain(`href="${page}"`);
  // No header has the invitation's token, which would open the invitation.
  expect(JSON.stringify(mail?.headers)).not.toContain(TOKEN);
});

it('writes a code and keeps it out of the subject', async () => {
  const request = {
    message_id: randomUUID(),
    to: 'coded@example.org',
    language: 'en',
    code: 'ABC234',
  } as const;
  expect(await api.world.ask(notificationsRpc.mailCode, request, 'auth')).toEqual({ outcome: 'sent' });
  const [mail] = api.mail.mailbox.list('coded@example.org');
  expect(mail?.subject).not.toContain('ABC234');
  expect(JSON.stringify(mail)).toContain('ABC234');
});

it('reports that the server refuses an address, and refuses a sender that is not an ID', async () => {
  expect(await invitation('unknown@example.org')).toEqual({ outcome: 'refused' });
  const request = { message_id: randomUUID(), to: 'x@example.org', language: 'en', token: TOKEN } as const;
  await expect(
    api.world.ask(notificationsRpc.mailInvitation, { ...request, sender: 'Win money' }, 'documents'),
  ).rejects.toThrow();
  expect(api.mail.mailbox.list('x@example.org')).toEqual([]);
});

const invited = { sender: 'ABCD1234', token: TOKEN, publicUrl: 'http://karaar.test' };

it('asks the invited person to answer by a day, if the creator set one', () => {
  const textOf = (answerBy: string | null) => invitationLetter('en', { ...invited, answerBy }).text;
  expect(textOf('2026-12-12')).toContain('Please answer by 12 December 2026.');
  expect(textOf(null)).not.toContain('Please answer by');
});

it('has both e-mails in six languages', () => {
  const letters = LANGUAGES.map((language) => [
    codeLetter(language, 'ABC234'),
    invitationLetter(language, { ...invited, answerBy: '2026-12-12' }),
  ]);
  for (const [code, invitation] of letters) {
    expect(code?.text).toContain('ABC234');
    expect(invitation?.text).toContain('ABCD1234');
    expect(invitation?.text).toMatch(/12\D+2026/);
  }
  expect(new Set(letters.flat().map(({ text }) => text)).size).toBe(2 * LANGUAGES.length);
});
