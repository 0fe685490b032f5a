/**
 * The text messages to parties, in their language: fixed words, the other person's ID, a day and our own
 * link. They contain no names of users or documents, because an attacker could put text and links into a name
 * and have us send it to any phone. Carriers deliver approved texts only, so each text in each language is a
 * named template; all have the same variables.
 */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import { textTemplate, type TextMessage } from '@karaar/sms';
import type { TextMessageKind } from '../../db/schema.ts';

export type TextMessageVariables = {
  /** The 8-character ID of the user who invited, admitted, reminded or withdrew. */
  sender: string;
  /** `dd/mm/yyyy`; empty if the text has no day. */
  day: string;
  link: string;
};

/** A text contains no words from users, and no link except our own. */
const FORMS: Record<keyof TextMessageVariables, RegExp> = {
  sender: /^([0-9A-Z]{8})?$/,
  day: /^(\d{2}\/\d{2}\/\d{4})?$/,
  link: /^https?:\/\/[^\s/]+(\/[\w-]+)*\/document\/[0-9a-f-]{36}$/,
};

type Write = (variables: TextMessageVariables) => string;

const TEXTS: Record<TextMessageKind, Record<NoticeLanguage, Write>> = {
  invited: {
    en: (v) =>
      `Karaar: the user with the ID ${v.sender} asks you to agree on a document. Read and answer: ${v.link}`,
    hi: (v) =>
      `Karaar: ID ${v.sender} वाले यूज़र ने आपको एक दस्तावेज़ पर सहमति के लिए आमंत्रित किया है। पढ़ें और उत्तर दें: ${v.link}`,
    ta: (v) =>
      `Karaar: ID ${v.sender} உள்ள பயனர் ஓர் ஆவணத்தின் ஒப்பந்தத்திற்கு உங்களை அழைத்துள்ளார். படித்து பதிலளிக்கவும்: ${v.link}`,
    bn: (v) =>
      `Karaar: ID ${v.sender}-এর ইউজার আপনাকে একটি ডকুমেন্টে সম্মতির জন্য আমন্ত্রণ জানিয়েছেন। পড়ুন ও উত্তর দিন: ${v.link}`,
    mr: (v) =>
      `Karaar: ID ${v.sender} असलेल्या यूजरनी तुम्हाला एका दस्तऐवजावर सहमतीसाठी आमंत्रित केले आहे. वाचा आणि उत्तर द्या: ${v.link}`,
    te: (v) =>
      `Karaar: ID ${v.sender} గల యూజర్ ఒక డాక్యుమెంట్‌పై ఒప్పందానికి మిమ్మల్ని ఆహ్వానించారు. చదివి సమాధానం ఇవ్వండి: ${v.link}`,
  },
  admitted: {
    en: (v) =>
      `Karaar: the user with the ID ${v.sender} has let you join a document. Read it and approve: ${v.link}`,
    hi: (v) => `Karaar: ID ${v.sender} वाले यूज़र ने आपको एक दस्तावेज़ में शामिल किया है। पढ़ें और मंज़ूरी दें: ${v.link}`,
    ta: (v) =>
      `Karaar: ID ${v.sender} உள்ள பயனர் உங்களை ஓர் ஆவணத்தில் சேர்த்துள்ளார். படித்து ஒப்புதல் அளிக்கவும்: ${v.link}`,
    bn: (v) => `Karaar: ID ${v.sender}-এর ইউজার আপনাকে একটি ডকুমেন্টে যুক্ত করেছেন। পড়ুন ও অনুমোদন করুন: ${v.link}`,
    mr: (v) =>
      `Karaar: ID ${v.sender} असलेल्या यूजरनी तुम्हाला एका दस्तऐवजात सामील केले आहे. वाचा आणि मंजुरी द्या: ${v.link}`,
    te: (v) => `Karaar: ID ${v.sender} గల యూజర్ మిమ్మల్ని ఒక డాక్యుమెంట్‌లో చేర్చుకున్నారు. చదివి ఆమోదించండి: ${v.link}`,
  },
  withdrawn: {
    en: (v) =>
      `Karaar: the user with the ID ${v.sender} has withdrawn from a document, which waits for you again: ${v.link}`,
    hi: (v) => `Karaar: ID ${v.sender} वाले यूज़र एक दस्तावेज़ से हट गए हैं; अब यह फिर आपकी प्रतीक्षा में है: ${v.link}`,
    ta: (v) =>
      `Karaar: ID ${v.sender} உள்ள பயனர் ஓர் ஆவணத்திலிருந்து விலகியுள்ளார்; இது மீண்டும் உங்களுக்காகக் காத்திருக்கிறது: ${v.link}`,
    bn: (v) =>
      `Karaar: ID ${v.sender}-এর ইউজার একটি ডকুমেন্ট থেকে সরে গেছেন; এটি আবার আপনার অপেক্ষায় আছে: ${v.link}`,
    mr: (v) =>
      `Karaar: ID ${v.sender} असलेले यूजर एका दस्तऐवजातून बाहेर पडले आहेत; ते पुन्हा तुमच्या प्रतीक्षेत आहे: ${v.link}`,
    te: (v) => `Karaar: ID ${v.sender} గల యూజర్ ఒక డాక్యుమెంట్ నుండి వైదొలిగారు; అది మళ్లీ మీ కోసం వేచి ఉంది: ${v.link}`,
  },
  reminder: {
    en: (v) => `Karaar: the user with the ID ${v.sender} is waiting for your answer on a document: ${v.link}`,
    hi: (v) => `Karaar: ID ${v.sender} वाले यूज़र एक दस्तावेज़ पर आपके उत्तर की प्रतीक्षा कर रहे हैं: ${v.link}`,
    ta: (v) => `Karaar: ஓர் ஆவணம் குறித்த உங்கள் பதிலுக்காக ID ${v.sender} உள்ள பயனர் காத்திருக்கிறார்: ${v.link}`,
    bn: (v) => `Karaar: একটি ডকুমেন্ট নিয়ে আপনার উত্তরের জন্য ID ${v.sender}-এর ইউজার অপেক্ষা করছেন: ${v.link}`,
    mr: (v) => `Karaar: ID ${v.sender} असलेले यूजर एका दस्तऐवजावरील तुमच्या उत्तराची वाट पाहत आहेत: ${v.link}`,
    te: (v) => `Karaar: ఒక డాక్యుమెంట్‌పై మీ సమాధానం కోసం ID ${v.sender} గల యూజర్ ఎదురుచూస్తున్నారు: ${v.link}`,
  },
  starts_soon: {
    en: (v) => `Karaar: a document starts on ${v.day} and waits for your approval: ${v.link}`,
    hi: (v) => `Karaar: एक दस्तावेज़ ${v.day} से शुरू हो रहा है और आपकी मंज़ूरी की प्रतीक्षा में है: ${v.link}`,
    ta: (v) => `Karaar: ஓர் ஆவணம் ${v.day} அன்று தொடங்குகிறது; உங்கள் ஒப்புதலுக்காகக் காத்திருக்கிறது: ${v.link}`,
    bn: (v) => `Karaar: একটি ডকুমেন্ট ${v.day} তারিখে শুরু হচ্ছে, আপনার অনুমোদনের অপেক্ষায় আছে: ${v.link}`,
    mr: (v) => `Karaar: एक दस्तऐवज ${v.day} रोजी सुरू होत आहे आणि तुमच्या मंजुरीची वाट पाहत आहे: ${v.link}`,
    te: (v) => `Karaar: ఒక డాక్యుమెంట్ ${v.day}న ప్రారంభమవుతుంది, మీ ఆమోదం కోసం వేచి ఉంది: ${v.link}`,
  },
};

const KINDS = Object.keys(TEXTS) as TextMessageKind[];
const LANGUAGES = Object.keys(TEXTS.invited) as NoticeLanguage[];
/** `3` is the version: changed texts need a new approval by the carriers, under new names. */
const templateName = (kind: TextMessageKind, language: NoticeLanguage): string =>
  `notice-3-${kind.replaceAll('_', '-')}-${language}`;

export const textMessageTemplates: readonly string[] = KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => templateName(kind, language)),
);

/** Returns the message for one phone. Throws if a variable has an invalid format. */
export function writeTextMessage(
  to: string,
  kind: TextMessageKind,
  language: NoticeLanguage,
  variables: TextMessageVariables,
): TextMessage {
  for (const name of ['sender', 'day', 'link'] as const)
    if (!FORMS[name].test(variables[name])) throw new Error(`A text message cannot carry this ${name}`);
  const write = textTemplate(templateName(kind, language), TEXTS[kind][language], { repeatable: false });
  return write(to, variables);
}
