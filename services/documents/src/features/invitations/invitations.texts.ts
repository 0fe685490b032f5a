/** The SMS of an invitation: fixed words, the inviting user's ID and our own link. */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { textTemplate, type TextMessage } from '@karaar/sms';

export type InvitationVariables = {
  sender: string;
  link: string;
};

/** Restricts the variables, so that a user cannot put other text into a message. */
const FORMS: Record<keyof InvitationVariables, RegExp> = {
  sender: /^[0-9A-Z]{8}$/,
  link: /^https?:\/\/[^\s/]+(\/[\w-]+)*\/invitation#[\w-]{32}$/,
};

const TEXTS: Record<Language, (variables: InvitationVariables) => string> = {
  en: (v) =>
    `Karaar: the user with the ID ${v.sender} asks you to agree on a document. Read and answer with this number: ${v.link}`,
  hi: (v) =>
    `Karaar: ID ${v.sender} वाले यूज़र ने आपको एक दस्तावेज़ पर सहमति के लिए आमंत्रित किया है। इसी नंबर से पढ़ें और उत्तर दें: ${v.link}`,
  ta: (v) =>
    `Karaar: ID ${v.sender} உள்ள பயனர் ஓர் ஆவணத்தின் ஒப்பந்தத்திற்கு உங்களை அழைத்துள்ளார். இந்த எண்ணைக் கொண்டு படித்து பதிலளிக்கவும்: ${v.link}`,
  bn: (v) =>
    `Karaar: ID ${v.sender}-এর ইউজার আপনাকে একটি ডকুমেন্টে সম্মতির জন্য আমন্ত্রণ জানিয়েছেন। এই নম্বর দিয়ে পড়ুন ও উত্তর দিন: ${v.link}`,
  mr: (v) =>
    `Karaar: ID ${v.sender} असलेल्या यूजरनी तुम्हाला एका दस्तऐवजावर सहमतीसाठी आमंत्रित केले आहे. याच क्रमांकाने वाचा आणि उत्तर द्या: ${v.link}`,
  te: (v) =>
    `Karaar: ID ${v.sender} గల యూజర్ ఒక డాక్యుమెంట్‌పై ఒప్పందానికి మిమ్మల్ని ఆహ్వానించారు. ఈ నంబర్‌తో చదివి సమాధానం ఇవ్వండి: ${v.link}`,
};

const templateName = (language: Language): string => `contact-invitation-2-${language}`;

export const invitationTemplates: readonly string[] = LANGUAGES.map(templateName);

/** Returns the message for one phone. Throws if a variable does not match its form. */
export function invitationMessage(
  to: string,
  language: Language,
  variables: InvitationVariables,
): TextMessage {
  for (const name of ['sender', 'link'] as const)
    if (!FORMS[name].test(variables[name])) throw new Error(`A text message cannot carry this ${name}`);
  return textTemplate(templateName(language), TEXTS[language], { repeatable: false })(to, variables);
}
