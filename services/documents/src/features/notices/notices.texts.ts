/**
 * The text messages that parties get, in their own language. Carriers deliver approved texts only, so each text
 * in each language is a template with a name; the variables are the same in all of them.
 */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import { textTemplate, type TextMessage } from '@karaar/platform/sms';
import type { NoticeKind } from '../../db/schema.ts';

export type NoticeVariables = {
  /** Who invited, admitted or reminded; or, of a withdrawal, who has withdrawn. */
  sender: string;
  document: string;
  /** `DD.MM.YYYY`; empty where the text has no day. */
  day: string;
  link: string;
};

type Write = (variables: NoticeVariables) => string;

const TEXTS: Record<NoticeKind, Record<NoticeLanguage, Write>> = {
  invited: {
    en: (v) => `Karaar: ${v.sender} asks you to agree on "${v.document}". Read and answer: ${v.link}`,
    hi: (v) =>
      `करार: ${v.sender} ने आपको "${v.document}" पर सहमति के लिए आमंत्रित किया है। पढ़ें और उत्तर दें: ${v.link}`,
    ta: (v) =>
      `கரார்: "${v.document}" ஒப்பந்தத்திற்கு ${v.sender} உங்களை அழைத்துள்ளார். படித்து பதிலளிக்கவும்: ${v.link}`,
    bn: (v) =>
      `করার: ${v.sender} আপনাকে "${v.document}"-এ সম্মতির জন্য আমন্ত্রণ জানিয়েছেন। পড়ুন ও উত্তর দিন: ${v.link}`,
    mr: (v) =>
      `करार: ${v.sender} यांनी तुम्हाला "${v.document}" वर सहमतीसाठी आमंत्रित केले आहे. वाचा आणि उत्तर द्या: ${v.link}`,
    te: (v) => `కరార్: "${v.document}" ఒప్పందానికి ${v.sender} మిమ్మల్ని ఆహ్వానించారు. చదివి సమాధానం ఇవ్వండి: ${v.link}`,
  },
  admitted: {
    en: (v) => `Karaar: ${v.sender} has let you join "${v.document}". Read it and approve: ${v.link}`,
    hi: (v) => `करार: ${v.sender} ने आपको "${v.document}" में शामिल किया है। पढ़ें और मंज़ूरी दें: ${v.link}`,
    ta: (v) =>
      `கரார்: ${v.sender} உங்களை "${v.document}" ஒப்பந்தத்தில் சேர்த்துள்ளார். படித்து ஒப்புதல் அளிக்கவும்: ${v.link}`,
    bn: (v) => `করার: ${v.sender} আপনাকে "${v.document}"-এ যুক্ত করেছেন। পড়ুন ও অনুমোদন করুন: ${v.link}`,
    mr: (v) => `करार: ${v.sender} यांनी तुम्हाला "${v.document}" मध्ये सामील केले आहे. वाचा आणि मंजुरी द्या: ${v.link}`,
    te: (v) => `కరార్: ${v.sender} మిమ్మల్ని "${v.document}"లో చేర్చుకున్నారు. చదివి ఆమోదించండి: ${v.link}`,
  },
  withdrawn: {
    en: (v) => `Karaar: ${v.sender} has withdrawn from "${v.document}", which waits for you again: ${v.link}`,
    hi: (v) => `करार: ${v.sender} "${v.document}" से हट गए हैं; अब यह फिर आपकी प्रतीक्षा में है: ${v.link}`,
    ta: (v) =>
      `கரார்: ${v.sender} "${v.document}" ஒப்பந்தத்திலிருந்து விலகியுள்ளார்; இது மீண்டும் உங்களுக்காகக் காத்திருக்கிறது: ${v.link}`,
    bn: (v) => `করার: ${v.sender} "${v.document}" থেকে সরে গেছেন; এটি আবার আপনার অপেক্ষায় আছে: ${v.link}`,
    mr: (v) => `करार: ${v.sender} "${v.document}" मधून बाहेर पडले आहेत; ते पुन्हा तुमच्या प्रतीक्षेत आहे: ${v.link}`,
    te: (v) => `కరార్: ${v.sender} "${v.document}" నుండి వైదొలిగారు; అది మళ్లీ మీ కోసం వేచి ఉంది: ${v.link}`,
  },
  reminder: {
    en: (v) => `Karaar: ${v.sender} is waiting for your answer on "${v.document}": ${v.link}`,
    hi: (v) => `करार: ${v.sender} "${v.document}" पर आपके उत्तर की प्रतीक्षा कर रहे हैं: ${v.link}`,
    ta: (v) => `கரார்: "${v.document}" குறித்த உங்கள் பதிலுக்காக ${v.sender} காத்திருக்கிறார்: ${v.link}`,
    bn: (v) => `করার: "${v.document}" নিয়ে আপনার উত্তরের জন্য ${v.sender} অপেক্ষা করছেন: ${v.link}`,
    mr: (v) => `करार: ${v.sender} "${v.document}" वरील तुमच्या उत्तराची वाट पाहत आहेत: ${v.link}`,
    te: (v) => `కరార్: "${v.document}"పై మీ సమాధానం కోసం ${v.sender} ఎదురుచూస్తున్నారు: ${v.link}`,
  },
  starts_soon: {
    en: (v) => `Karaar: "${v.document}" starts on ${v.day} and waits for your approval: ${v.link}`,
    hi: (v) => `करार: "${v.document}" ${v.day} से शुरू हो रहा है और आपकी स्वीकृति की प्रतीक्षा में है: ${v.link}`,
    ta: (v) => `கரார்: "${v.document}" ${v.day} அன்று தொடங்குகிறது; உங்கள் ஒப்புதலுக்காகக் காத்திருக்கிறது: ${v.link}`,
    bn: (v) => `করার: "${v.document}" ${v.day} তারিখে শুরু হচ্ছে, আপনার অনুমোদনের অপেক্ষায় আছে: ${v.link}`,
    mr: (v) => `करार: "${v.document}" ${v.day} रोजी सुरू होत आहे आणि तुमच्या मंजुरीची वाट पाहत आहे: ${v.link}`,
    te: (v) => `కరార్: "${v.document}" ${v.day}న ప్రారంభమవుతుంది, మీ ఆమోదం కోసం వేచి ఉంది: ${v.link}`,
  },
};

const KINDS = Object.keys(TEXTS) as NoticeKind[];
const LANGUAGES = Object.keys(TEXTS.invited) as NoticeLanguage[];
const templateName = (kind: NoticeKind, language: NoticeLanguage): string =>
  `notice-${kind.replaceAll('_', '-')}-${language}`;

/** Every text by the name under which a provider knows it. */
export const noticeTemplates: readonly string[] = KINDS.flatMap((kind) =>
  LANGUAGES.map((language) => templateName(kind, language)),
);

const LONGEST_NAME = 60;

/** The message for one phone. Long names are cut, so that a text stays a few parts long. */
export function noticeMessage(
  to: string,
  kind: NoticeKind,
  language: NoticeLanguage,
  variables: NoticeVariables,
): TextMessage {
  const write = textTemplate(templateName(kind, language), TEXTS[kind][language], { repeatable: false });
  return write(to, { ...variables, sender: cut(variables.sender), document: cut(variables.document) });
}

function cut(text: string): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return letters.length <= LONGEST_NAME ? text : `${letters.slice(0, LONGEST_NAME - 1).join('')}…`;
}
