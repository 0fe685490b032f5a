/**
 * E-mails to an address that may have no account: a code, or an invitation. The texts are fixed, and all
 * links lead to Karaar. Pure.
 */
import type { Language } from '@karaar/contracts/limits';
import { htmlLetter, type LetterParts } from './letter-html.ts';
import { plainLetter, withDate, type Letter } from './letter.ts';
import { say } from './texts.ts';

/**
 * Returns the e-mail with a one-time code. The code is not in the subject, because locked screens show
 * subjects.
 * @param isAccount true if the code proves the address of an account, false for that of an invitation
 */
export const codeLetter = (language: Language, code: string, isAccount = false): Letter =>
  letterOf({
    language,
    title: say(language, 'title_contact_code'),
    line: say(language, isAccount ? 'line_account_code' : 'line_contact_code', { code }),
    button: null,
    why: say(language, isAccount ? 'why_account_code' : 'why_code'),
    choose: null,
  });

/**
 * Returns the e-mail of an invitation.
 * @param publicUrl the address of Karaar, without a trailing slash
 */
export const invitationLetter = (
  language: Language,
  {
    sender,
    token,
    publicUrl,
    answerBy,
    stopToken,
  }: {
    sender: string;
    token: string;
    publicUrl: string;
    answerBy: string | null;
    stopToken?: string | undefined;
  },
): Letter =>
  letterOf({
    language,
    title: say(language, 'title_contact_invitation'),
    line: withDate(language, say(language, 'line_contact_invitation', { sender }), answerBy),
    button: { label: say(language, 'open_invitation'), href: `${publicUrl}/invitation#${token}` },
    why: say(language, 'why_invitation'),
    choose: stopToken
      ? { label: say(language, 'stop_invitations'), href: `${publicUrl}/invitation/stop#${stopToken}` }
      : null,
  });

/** Returns the URL to which a mail program posts to stop all invitations to an address (RFC 8058). */
export const stopUrl = (publicUrl: string, stopToken: string): string =>
  `${publicUrl}/api/documents/invitations/unsubscribe?token=${encodeURIComponent(stopToken)}`;

function letterOf(
  letter: Pick<LetterParts, 'language' | 'title' | 'line' | 'button' | 'why' | 'choose'>,
): Letter {
  const parts: LetterParts = { ...letter, greeting: say(letter.language, 'hello'), reason: null };
  return { subject: parts.title, text: plainLetter(parts), html: htmlLetter(parts) };
}
