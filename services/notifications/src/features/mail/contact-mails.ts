/** E-mails to an address that need not have an account: a code, or an invitation. Fixed words, and no link but our own. Pure. */
import type { Language } from '@karaar/contracts/limits';
import { htmlLetter, type LetterParts } from './letter-html.ts';
import { plainLetter, withDate, type Letter } from './letter.ts';
import { say } from './texts.ts';

/**
 * A one-time code; it is not in the subject, which locked screens show.
 *
 * @param isAccount the code proves the address of an account, and not that of an invitation
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

/** @param publicUrl where people reach Karaar, without a slash at the end */
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

/** Where a mail program stops all invitations to an address with one POST (RFC 8058). */
export const stopUrl = (publicUrl: string, stopToken: string): string =>
  `${publicUrl}/api/documents/invitations/unsubscribe?token=${encodeURIComponent(stopToken)}`;

function letterOf(
  given: Pick<LetterParts, 'language' | 'title' | 'line' | 'button' | 'why' | 'choose'>,
): Letter {
  const parts: LetterParts = { ...given, greeting: say(given.language, 'hello'), reason: null };
  return { subject: parts.title, text: plainLetter(parts), html: htmlLetter(parts) };
}
