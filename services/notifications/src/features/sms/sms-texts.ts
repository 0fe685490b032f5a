/**
 * The SMS of notifications in six languages: fixed words, an amount and our own link. They contain no names of
 * users or documents, because an attacker could put text and links into a name. Carriers deliver approved texts
 * only, so each text in each language is a named template.
 */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { NOTIFICATION_KINDS, SMS_KINDS, type NotificationKind } from '@karaar/contracts/notifications/kinds';
import { textTemplate, type TextMessage } from '@karaar/sms';

type Variables = { link: string; amount: string };
type Write = (variables: Variables) => string;

const TEXTS: Partial<Record<NotificationKind, Record<Language, Write>>> = {
  your_turn: {
    en: (v) => `Karaar: it is your turn. A document is waiting for your approval: ${v.link}`,
    hi: (v) => `Karaar: अब आपकी बारी है। एक दस्तावेज़ को आपकी मंज़ूरी चाहिए: ${v.link}`,
    ta: (v) => `Karaar: இப்போது உங்கள் முறை. ஓர் ஆவணம் உங்கள் ஒப்புதலுக்காக உள்ளது: ${v.link}`,
    bn: (v) => `Karaar: এবার আপনার পালা। একটি ডকুমেন্টে আপনার অনুমোদন দরকার: ${v.link}`,
    mr: (v) => `Karaar: आता तुमची पाळी. एका दस्तऐवजाला तुमची मंजुरी हवी आहे: ${v.link}`,
    te: (v) => `Karaar: ఇప్పుడు మీ వంతు. ఒక డాక్యుమెంట్‌కు మీ ఆమోదం కావాలి: ${v.link}`,
  },
  approval_ended: {
    en: (v) => `Karaar: your approval of a document has ended. Read it and approve it again: ${v.link}`,
    hi: (v) => `Karaar: एक दस्तावेज़ पर आपकी मंज़ूरी समाप्त हुई। पढ़कर फिर मंज़ूरी दें: ${v.link}`,
    ta: (v) => `Karaar: ஓர் ஆவணத்தில் உங்கள் ஒப்புதல் முடிந்தது. படித்து மீண்டும் ஒப்புதல் தரவும்: ${v.link}`,
    bn: (v) => `Karaar: একটি ডকুমেন্টে আপনার অনুমোদন শেষ হয়েছে। পড়ে আবার অনুমোদন দিন: ${v.link}`,
    mr: (v) => `Karaar: एका दस्तऐवजावरील तुमची मंजुरी संपली. वाचून पुन्हा मंजुरी द्या: ${v.link}`,
    te: (v) => `Karaar: ఒక డాక్యుమెంట్‌పై మీ ఆమోదం ముగిసింది. చదివి మళ్లీ ఆమోదించండి: ${v.link}`,
  },
  rejected: {
    en: (v) => `Karaar: a party has rejected your document. See the details: ${v.link}`,
    hi: (v) => `Karaar: एक पक्ष ने आपका दस्तावेज़ अस्वीकार किया है। विवरण देखें: ${v.link}`,
    ta: (v) => `Karaar: ஒரு தரப்பு உங்கள் ஆவணத்தை நிராகரித்துள்ளது. விவரம்: ${v.link}`,
    bn: (v) => `Karaar: একটি পক্ষ আপনার ডকুমেন্ট প্রত্যাখ্যান করেছে। বিস্তারিত দেখুন: ${v.link}`,
    mr: (v) => `Karaar: एका पक्षाने तुमचा दस्तऐवज नाकारला आहे. तपशील पाहा: ${v.link}`,
    te: (v) => `Karaar: ఒక పక్షం మీ డాక్యుమెంట్‌ను తిరస్కరించింది. వివరాలు చూడండి: ${v.link}`,
  },
  sealed: {
    en: (v) => `Karaar: your document is sealed. The final PDF is ready: ${v.link}`,
    hi: (v) => `Karaar: आपका दस्तावेज़ सील हो गया है। अंतिम PDF तैयार है: ${v.link}`,
    ta: (v) => `Karaar: உங்கள் ஆவணம் முத்திரையிடப்பட்டது. இறுதி PDF தயார்: ${v.link}`,
    bn: (v) => `Karaar: আপনার ডকুমেন্ট সিল হয়েছে। চূড়ান্ত PDF তৈরি: ${v.link}`,
    mr: (v) => `Karaar: तुमचा दस्तऐवज सील झाला आहे. अंतिम PDF तयार आहे: ${v.link}`,
    te: (v) => `Karaar: మీ డాక్యుమెంట్ సీల్ అయింది. తుది PDF సిద్ధం: ${v.link}`,
  },
  share_due: {
    en: (v) => `Karaar: your share for a document is Rs ${v.amount}. Please pay: ${v.link}`,
    hi: (v) => `Karaar: एक दस्तावेज़ में आपका हिस्सा Rs ${v.amount} है। भुगतान करें: ${v.link}`,
    ta: (v) => `Karaar: ஓர் ஆவணத்தில் உங்கள் பங்கு Rs ${v.amount}. செலுத்தவும்: ${v.link}`,
    bn: (v) => `Karaar: একটি ডকুমেন্টে আপনার অংশ Rs ${v.amount}। পেমেন্ট করুন: ${v.link}`,
    mr: (v) => `Karaar: एका दस्तऐवजात तुमचा वाटा Rs ${v.amount} आहे. पेमेंट करा: ${v.link}`,
    te: (v) => `Karaar: ఒక డాక్యుమెంట్‌లో మీ వాటా Rs ${v.amount}. చెల్లించండి: ${v.link}`,
  },
  data_exported: {
    en: (v) =>
      `Karaar: a copy of your data was downloaded. If it was not you, sign out everywhere in your profile: ${v.link}`,
    hi: (v) =>
      `Karaar: आपके डेटा की कॉपी डाउनलोड हुई। अगर यह आपने नहीं किया, तो प्रोफ़ाइल में सभी डिवाइस से साइन आउट करें: ${v.link}`,
    ta: (v) =>
      `Karaar: உங்கள் தரவின் நகல் பதிவிறக்கப்பட்டது. இது நீங்கள் இல்லையெனில், எல்லா சாதனங்களிலிருந்தும் வெளியேறவும்: ${v.link}`,
    bn: (v) =>
      `Karaar: আপনার ডেটার কপি ডাউনলোড হয়েছে। এটি আপনি না করে থাকলে সব ডিভাইস থেকে সাইন আউট করুন: ${v.link}`,
    mr: (v) =>
      `Karaar: तुमच्या डेटाची प्रत डाउनलोड झाली. हे तुम्ही केले नसेल तर सर्व डिव्हाइसवरून साइन आउट करा: ${v.link}`,
    te: (v) => `Karaar: మీ డేటా కాపీ డౌన్‌లోడ్ అయింది. ఇది మీరు చేయకపోతే, అన్ని పరికరాల నుండి సైన్ అవుట్ చేయండి: ${v.link}`,
  },
  join_requested: {
    en: (v) => `Karaar: someone asks to join your document. Allow or refuse: ${v.link}`,
    hi: (v) => `Karaar: कोई आपके दस्तावेज़ में शामिल होना चाहता है। निर्णय लें: ${v.link}`,
    ta: (v) => `Karaar: ஒருவர் உங்கள் ஆவணத்தில் சேர விரும்புகிறார். முடிவு செய்யவும்: ${v.link}`,
    bn: (v) => `Karaar: কেউ আপনার ডকুমেন্টে যোগ দিতে চান। সিদ্ধান্ত নিন: ${v.link}`,
    mr: (v) => `Karaar: कोणीतरी तुमच्या दस्तऐवजात सामील होऊ इच्छिते. निर्णय घ्या: ${v.link}`,
    te: (v) => `Karaar: ఒకరు మీ డాక్యుమెంట్‌లో చేరాలనుకుంటున్నారు. నిర్ణయించండి: ${v.link}`,
  },
  cancelled: {
    en: (v) => `Karaar: a document was cancelled. You have nothing left to do: ${v.link}`,
    hi: (v) => `Karaar: एक दस्तावेज़ रद्द किया गया। आपको कुछ नहीं करना है: ${v.link}`,
    ta: (v) => `Karaar: ஓர் ஆவணம் ரத்து செய்யப்பட்டது. நீங்கள் எதுவும் செய்ய வேண்டாம்: ${v.link}`,
    bn: (v) => `Karaar: একটি ডকুমেন্ট বাতিল হয়েছে। আপনাকে কিছু করতে হবে না: ${v.link}`,
    mr: (v) => `Karaar: एक दस्तऐवज रद्द झाला. तुम्हाला काही करायचे नाही: ${v.link}`,
    te: (v) => `Karaar: ఒక డాక్యుమెంట్ రద్దయింది. మీరు చేయాల్సింది ఏమీ లేదు: ${v.link}`,
  },
  lapsed: {
    en: (v) => `Karaar: a document was cancelled, because an answer was missing on its date: ${v.link}`,
    hi: (v) => `Karaar: तय तारीख तक उत्तर न मिलने से एक दस्तावेज़ रद्द हुआ: ${v.link}`,
    ta: (v) => `Karaar: உரிய தேதியில் பதில் வராததால் ஓர் ஆவணம் ரத்தானது: ${v.link}`,
    bn: (v) => `Karaar: নির্ধারিত তারিখে উত্তর না আসায় একটি ডকুমেন্ট বাতিল হয়েছে: ${v.link}`,
    mr: (v) => `Karaar: ठरलेल्या तारखेपर्यंत उत्तर न आल्याने एक दस्तऐवज रद्द झाला: ${v.link}`,
    te: (v) => `Karaar: గడువు తేదీకి సమాధానం రాక ఒక డాక్యుమెంట్ రద్దయింది: ${v.link}`,
  },
  all_approved: {
    en: (v) => `Karaar: all parties have approved a document: ${v.link}`,
    hi: (v) => `Karaar: सभी पक्षों ने एक दस्तावेज़ को मंज़ूरी दे दी है: ${v.link}`,
    ta: (v) => `Karaar: எல்லாத் தரப்புகளும் ஓர் ஆவணத்திற்கு ஒப்புதல் அளித்துள்ளன: ${v.link}`,
    bn: (v) => `Karaar: সব পক্ষ একটি ডকুমেন্টে অনুমোদন দিয়েছে: ${v.link}`,
    mr: (v) => `Karaar: सर्व पक्षांनी एका दस्तऐवजाला मंजुरी दिली आहे: ${v.link}`,
    te: (v) => `Karaar: అన్ని పక్షాలు ఒక డాక్యుమెంట్‌ను ఆమోదించాయి: ${v.link}`,
  },
  expiring: {
    en: (v) => `Karaar: an agreement of yours ends in 30 days. Renew it: ${v.link}`,
    hi: (v) => `Karaar: आपका एक करार 30 दिन में समाप्त होगा। नवीनीकरण करें: ${v.link}`,
    ta: (v) => `Karaar: உங்கள் ஒப்பந்தம் ஒன்று 30 நாட்களில் முடிகிறது. புதுப்பிக்க: ${v.link}`,
    bn: (v) => `Karaar: আপনার একটি চুক্তি 30 দিনে শেষ হবে। নবায়ন করুন: ${v.link}`,
    mr: (v) => `Karaar: तुमचा एक करार 30 दिवसांत संपेल. नूतनीकरण करा: ${v.link}`,
    te: (v) => `Karaar: మీ ఒప్పందం ఒకటి 30 రోజుల్లో ముగుస్తుంది. పునరుద్ధరించండి: ${v.link}`,
  },
  top_up_failed: {
    en: (v) => `Karaar: Rs ${v.amount} could not be added to your wallet: ${v.link}`,
    hi: (v) => `Karaar: आपके वॉलेट में Rs ${v.amount} नहीं जुड़ सके: ${v.link}`,
    ta: (v) => `Karaar: உங்கள் வாலட்டில் Rs ${v.amount} சேர்க்க முடியவில்லை: ${v.link}`,
    bn: (v) => `Karaar: আপনার ওয়ালেটে Rs ${v.amount} যোগ করা যায়নি: ${v.link}`,
    mr: (v) => `Karaar: तुमच्या वॉलेटमध्ये Rs ${v.amount} जमा होऊ शकले नाहीत: ${v.link}`,
    te: (v) => `Karaar: మీ వాలెట్‌లో Rs ${v.amount} జమ కాలేదు: ${v.link}`,
  },
  new_sign_in: {
    en: (v) =>
      `Karaar: someone has signed in to your account. If it was not you, end that session in your profile: ${v.link}`,
    hi: (v) =>
      `Karaar: आपके खाते में किसी ने साइन इन किया। अगर यह आपने नहीं किया, तो प्रोफ़ाइल में वह सत्र समाप्त करें: ${v.link}`,
    ta: (v) =>
      `Karaar: உங்கள் கணக்கில் ஒருவர் உள்நுழைந்தார். இது நீங்கள் இல்லையெனில், சுயவிவரத்தில் அந்த அமர்வை முடிக்கவும்: ${v.link}`,
    bn: (v) =>
      `Karaar: আপনার অ্যাকাউন্টে কেউ সাইন ইন করেছেন। এটি আপনি না করে থাকলে প্রোফাইলে সেই সেশন শেষ করুন: ${v.link}`,
    mr: (v) => `Karaar: तुमच्या खात्यात कोणीतरी साइन इन केले. हे तुम्ही केले नसेल तर प्रोफाइलमध्ये ते सत्र बंद करा: ${v.link}`,
    te: (v) => `Karaar: మీ ఖాతాలో ఎవరో సైన్ ఇన్ చేశారు. ఇది మీరు చేయకపోతే, ప్రొఫైల్‌లో ఆ సెషన్‌ను ముగించండి: ${v.link}`,
  },
};

/** `1` is the version: changed texts need a new approval by the carriers, under new names. */
const templateName = (kind: NotificationKind, language: Language): string =>
  `event-1-${kind.replaceAll('_', '-')}-${language}`;

export const smsTemplates: readonly string[] = NOTIFICATION_KINDS.filter((kind) => kind in SMS_KINDS).flatMap(
  (kind) => LANGUAGES.map((language) => templateName(kind, language)),
);

const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 });

/** Returns the text of a notification by SMS, or undefined for a kind that does not come by SMS. */
export const smsTextOf = (
  kind: NotificationKind,
  language: Language,
  variables: Variables,
): string | undefined => TEXTS[kind]?.[language](variables);

export const rupeesOf = (paise: number): string => RUPEES.format(paise / 100);

/** Returns the SMS of a notification. Throws for a kind that does not come by SMS. */
export function writeSms(
  to: string,
  language: Language,
  { kind, amountPaise, link }: { kind: NotificationKind; amountPaise: number; link: string },
): TextMessage {
  const write = TEXTS[kind]?.[language];
  if (!write) throw new Error(`${kind} has no SMS`);
  const template = textTemplate(templateName(kind, language), write, { repeatable: false });
  return template(to, { link, amount: rupeesOf(amountPaise) });
}
