/**
 * The SMS of this service, in the language of the account or of the screen. In English the first two fit one
 * SMS. Carriers deliver only approved texts, so each text in each language is a named template.
 */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { textTemplate, type TextMessage } from '@karaar/sms';

type Texts<V> = Record<Language, (variables: V) => string>;

/** The English template keeps the plain name, under which providers already have it. */
const nameIn = (name: string, language: Language): string =>
  language === 'en' ? name : `${name}-${language}`;

const names: string[] = [];

/** Returns a function that writes the text in any language: `(phone, language, variables)` → the message. */
function inLanguages<V extends Record<string, string>>(
  name: string,
  texts: Texts<V>,
  options: { repeatable: boolean },
): (to: string, language: Language, variables: V) => TextMessage {
  names.push(...LANGUAGES.map((language) => nameIn(name, language)));
  return (to, language, variables) =>
    textTemplate(nameIn(name, language), texts[language], options)(to, variables);
}

export const signInCode = inLanguages<{ code: string; bound: string }>(
  'sign-in-code',
  {
    en: ({ code, bound }) =>
      `${code} is your Karaar sign-in code. It works for 5 minutes. Never share it with anyone.${bound}`,
    hi: ({ code, bound }) =>
      `${code} आपका Karaar साइन-इन कोड है। यह 5 मिनट तक मान्य है। इसे किसी को न बताएँ।${bound}`,
    ta: ({ code, bound }) =>
      `${code} உங்கள் Karaar உள்நுழைவுக் குறியீடு. இது 5 நிமிடங்கள் செல்லும். யாரிடமும் பகிர வேண்டாம்.${bound}`,
    bn: ({ code, bound }) => `${code} আপনার Karaar সাইন-ইন কোড। এটি 5 মিনিট বৈধ। কাউকে জানাবেন না।${bound}`,
    mr: ({ code, bound }) =>
      `${code} हा तुमचा Karaar साइन-इन कोड आहे. तो 5 मिनिटे वैध आहे. कोणालाही सांगू नका.${bound}`,
    te: ({ code, bound }) => `${code} మీ Karaar సైన్ ఇన్ కోడ్. ఇది 5 నిమిషాలు చెల్లుతుంది. ఎవరికీ చెప్పకండి.${bound}`,
  },
  { repeatable: true },
);

/**
 * Returns the last line of the message, from which a browser recognises the site and offers to fill in the
 * code (WebOTP, iOS autofill).
 * @param host of the web app; without it the line is empty
 */
export const boundTo = (host: string | undefined, code: string): string =>
  host ? `\n\n@${host} #${code}` : '';

export const registerFirst = inLanguages<Record<never, string>>(
  'register-first',
  {
    en: () =>
      'Someone asked to sign in to Karaar with this number, but it has no account yet. Register in the app first.',
    hi: () => 'किसी ने इस नंबर से Karaar में साइन इन करना चाहा, पर इसका कोई खाता नहीं है। पहले ऐप में रजिस्टर करें।',
    ta: () =>
      'இந்த எண்ணில் Karaar-இல் உள்நுழைய யாரோ கேட்டனர்; இதற்கு இன்னும் கணக்கு இல்லை. முதலில் செயலியில் பதிவுசெய்யவும்.',
    bn: () =>
      'কেউ এই নম্বর দিয়ে Karaar-এ সাইন ইন করতে চেয়েছেন, কিন্তু এর কোনো অ্যাকাউন্ট নেই। আগে অ্যাপে রেজিস্টার করুন।',
    mr: () => 'कोणीतरी या क्रमांकाने Karaar मध्ये साइन इन करू पाहिले, पण याचे खाते नाही. आधी ॲपमध्ये नोंदणी करा.',
    te: () => 'ఎవరో ఈ నంబర్‌తో Karaar‌లో సైన్ ఇన్ చేయాలనుకున్నారు, కానీ దీనికి ఖాతా లేదు. ముందుగా యాప్‌లో రిజిస్టర్ చేసుకోండి.',
  },
  { repeatable: true },
);

export const changePhoneCode = inLanguages<{ code: string }>(
  'change-phone-code',
  {
    en: ({ code }) =>
      `${code} is your code to use this number with Karaar. It works for 5 minutes. Never share it with anyone.`,
    hi: ({ code }) =>
      `${code} इस नंबर को Karaar में इस्तेमाल करने का आपका कोड है। यह 5 मिनट तक मान्य है। इसे किसी को न बताएँ।`,
    ta: ({ code }) =>
      `${code} இந்த எண்ணை Karaar-இல் பயன்படுத்துவதற்கான உங்கள் குறியீடு. இது 5 நிமிடங்கள் செல்லும். யாரிடமும் பகிர வேண்டாம்.`,
    bn: ({ code }) =>
      `${code} এই নম্বর Karaar-এ ব্যবহার করার জন্য আপনার কোড। এটি 5 মিনিট বৈধ। কাউকে জানাবেন না।`,
    mr: ({ code }) =>
      `${code} हा क्रमांक Karaar मध्ये वापरण्यासाठी तुमचा कोड आहे. तो 5 मिनिटे वैध आहे. कोणालाही सांगू नका.`,
    te: ({ code }) => `${code} ఈ నంబర్‌ను Karaar‌లో వాడటానికి మీ కోడ్. ఇది 5 నిమిషాలు చెల్లుతుంది. ఎవరికీ చెప్పకండి.`,
  },
  { repeatable: true },
);

/** Sent to the present number before the account gets the number with these last digits. */
export const movePhoneCode = inLanguages<{ code: string; digits: string }>(
  'move-phone-code',
  {
    en: ({ code, digits }) =>
      `${code} is your code to change your Karaar number to one ending in ${digits}. It works for 5 minutes. Never share it with anyone.`,
    hi: ({ code, digits }) =>
      `${code} आपका कोड है, जिससे आपका Karaar नंबर बदलकर ${digits} पर खत्म होने वाला नंबर हो जाएगा। यह 5 मिनट तक मान्य है। इसे किसी को न बताएँ।`,
    ta: ({ code, digits }) =>
      `${code} உங்கள் Karaar எண்ணை ${digits} என முடியும் எண்ணாக மாற்றுவதற்கான உங்கள் குறியீடு. இது 5 நிமிடங்கள் செல்லும். யாரிடமும் பகிர வேண்டாம்.`,
    bn: ({ code, digits }) =>
      `${code} আপনার Karaar নম্বর বদলে ${digits} দিয়ে শেষ হওয়া নম্বর করার কোড। এটি 5 মিনিট বৈধ। কাউকে জানাবেন না।`,
    mr: ({ code, digits }) =>
      `${code} हा तुमचा Karaar क्रमांक बदलून ${digits} ने संपणारा क्रमांक करण्याचा कोड आहे. तो 5 मिनिटे वैध आहे. कोणालाही सांगू नका.`,
    te: ({ code, digits }) =>
      `${code} మీ Karaar నంబర్‌ను ${digits}తో ముగిసే నంబర్‌గా మార్చే కోడ్. ఇది 5 నిమిషాలు చెల్లుతుంది. ఎవరికీ చెప్పకండి.`,
  },
  { repeatable: true },
);

export const deleteAccountCode = inLanguages<{ code: string }>(
  'delete-account-code',
  {
    en: ({ code }) =>
      `${code} is your code to permanently delete your Karaar account. It works for 5 minutes. Never share it with anyone.`,
    hi: ({ code }) =>
      `${code} आपका Karaar खाता हमेशा के लिए हटाने का कोड है। यह 5 मिनट तक मान्य है। इसे किसी को न बताएँ।`,
    ta: ({ code }) =>
      `${code} உங்கள் Karaar கணக்கை நிரந்தரமாக நீக்குவதற்கான குறியீடு. இது 5 நிமிடங்கள் செல்லும். யாரிடமும் பகிர வேண்டாம்.`,
    bn: ({ code }) =>
      `${code} আপনার Karaar অ্যাকাউন্ট চিরতরে মুছে ফেলার কোড। এটি 5 মিনিট বৈধ। কাউকে জানাবেন না।`,
    mr: ({ code }) => `${code} हा तुमचे Karaar खाते कायमचे हटवण्याचा कोड आहे. तो 5 मिनिटे वैध आहे. कोणालाही सांगू नका.`,
    te: ({ code }) => `${code} మీ Karaar ఖాతాను శాశ్వతంగా తొలగించే కోడ్. ఇది 5 నిమిషాలు చెల్లుతుంది. ఎవరికీ చెప్పకండి.`,
  },
  { repeatable: true },
);

/** Sent to the present number of an account whose owner reports it as lost and wants another one. */
export const phoneMoveAsked = inLanguages<Record<never, string>>(
  'phone-move-asked',
  {
    en: () =>
      'Someone asked to move your Karaar account to another phone number. To stop this, sign in with this number now and sign out everywhere.',
    hi: () =>
      'किसी ने आपका Karaar खाता दूसरे मोबाइल नंबर पर ले जाने को कहा है। इसे रोकने के लिए अभी इस नंबर से साइन इन करें और सभी डिवाइस से साइन आउट करें।',
    ta: () =>
      'உங்கள் Karaar கணக்கை வேறு மொபைல் எண்ணுக்கு மாற்ற யாரோ கேட்டுள்ளனர். இதைத் தடுக்க, இப்போதே இந்த எண்ணில் உள்நுழைந்து எல்லா சாதனங்களிலிருந்தும் வெளியேறவும்.',
    bn: () =>
      'কেউ আপনার Karaar অ্যাকাউন্ট অন্য মোবাইল নম্বরে সরাতে চেয়েছেন। এটি থামাতে এখনই এই নম্বর দিয়ে সাইন ইন করুন এবং সব ডিভাইস থেকে সাইন আউট করুন।',
    mr: () =>
      'कोणीतरी तुमचे Karaar खाते दुसऱ्या मोबाइल क्रमांकावर नेण्यास सांगितले आहे. हे थांबवण्यासाठी आत्ताच या क्रमांकाने साइन इन करा आणि सर्व डिव्हाइसवरून साइन आउट करा.',
    te: () =>
      'మీ Karaar ఖాతాను వేరే మొబైల్ నంబర్‌కు మార్చమని ఎవరో అడిగారు. దీన్ని ఆపడానికి ఇప్పుడే ఈ నంబర్‌తో సైన్ ఇన్ చేసి, అన్ని పరికరాల నుండి సైన్ అవుట్ చేయండి.',
  },
  { repeatable: true },
);

/** Sent to the number of an invitation, with or without an account. */
export const contactCode = inLanguages<{ code: string }>(
  'contact-code',
  {
    en: ({ code }) =>
      `${code} is your code to open an invitation at Karaar. It works for 5 minutes. Never share it with anyone.`,
    hi: ({ code }) => `${code} Karaar पर आमंत्रण खोलने का आपका कोड है। यह 5 मिनट तक मान्य है। इसे किसी को न बताएँ।`,
    ta: ({ code }) =>
      `${code} Karaar-இல் அழைப்பைத் திறப்பதற்கான உங்கள் குறியீடு. இது 5 நிமிடங்கள் செல்லும். யாரிடமும் பகிர வேண்டாம்.`,
    bn: ({ code }) => `${code} Karaar-এ আমন্ত্রণ খোলার আপনার কোড। এটি 5 মিনিট বৈধ। কাউকে জানাবেন না।`,
    mr: ({ code }) =>
      `${code} हा Karaar वरील आमंत्रण उघडण्याचा तुमचा कोड आहे. तो 5 मिनिटे वैध आहे. कोणालाही सांगू नका.`,
    te: ({ code }) => `${code} Karaar‌లో ఆహ్వానాన్ని తెరవడానికి మీ కోడ్. ఇది 5 నిమిషాలు చెల్లుతుంది. ఎవరికీ చెప్పకండి.`,
  },
  { repeatable: true },
);

/** Sent to the old number, so that its owner learns of a change that another person made. */
export const phoneChanged = inLanguages<Record<never, string>>(
  'phone-changed',
  {
    en: () =>
      'Your Karaar account now uses another phone number. If this was not you, contact Karaar support at once.',
    hi: () => 'आपके Karaar खाते में अब दूसरा मोबाइल नंबर है। अगर यह आपने नहीं किया, तो तुरंत Karaar सहायता से संपर्क करें।',
    ta: () =>
      'உங்கள் Karaar கணக்கு இப்போது வேறு மொபைல் எண்ணைப் பயன்படுத்துகிறது. இதை நீங்கள் செய்யவில்லை என்றால், உடனே Karaar உதவியைத் தொடர்புகொள்ளவும்.',
    bn: () =>
      'আপনার Karaar অ্যাকাউন্টে এখন অন্য মোবাইল নম্বর আছে। এটি আপনি না করে থাকলে এখনই Karaar সহায়তায় যোগাযোগ করুন।',
    mr: () => 'तुमच्या Karaar खात्यात आता दुसरा मोबाइल क्रमांक आहे. हे तुम्ही केले नसेल तर लगेच Karaar सहाय्याशी संपर्क साधा.',
    te: () => 'మీ Karaar ఖాతా ఇప్పుడు వేరే మొబైల్ నంబర్‌ను వాడుతోంది. ఇది మీరు చేయకపోతే వెంటనే Karaar సహాయాన్ని సంప్రదించండి.',
  },
  { repeatable: false },
);

/** Sent after a signing passkey was added. Users cannot switch it off. */
export const passkeyAdded = inLanguages<Record<never, string>>(
  'passkey-added-2',
  {
    en: () =>
      'Karaar: a passkey was added to your account. If this was not you, remove it in your profile and sign out everywhere.',
    hi: () =>
      'Karaar: आपके खाते में एक पासकी जोड़ी गई। अगर यह आपने नहीं किया, तो उसे अपनी प्रोफ़ाइल में हटाएँ और सभी डिवाइस से साइन आउट करें।',
    ta: () =>
      'Karaar: உங்கள் கணக்கில் ஒரு பாஸ்கீ சேர்க்கப்பட்டது. இதை நீங்கள் செய்யவில்லை என்றால், சுயவிவரத்தில் அதை நீக்கி எல்லா சாதனங்களிலிருந்தும் வெளியேறவும்.',
    bn: () =>
      'Karaar: আপনার অ্যাকাউন্টে একটি পাসকি যোগ করা হয়েছে। এটি আপনি না করে থাকলে প্রোফাইলে তা সরান এবং সব ডিভাইস থেকে সাইন আউট করুন।',
    mr: () =>
      'Karaar: तुमच्या खात्यात एक पासकी जोडली गेली. हे तुम्ही केले नसेल तर प्रोफाइलमध्ये ती काढा आणि सर्व डिव्हाइसवरून साइन आउट करा.',
    te: () => 'Karaar: మీ ఖాతాకు ఒక పాస్‌కీ చేర్చబడింది. ఇది మీరు చేయకపోతే, ప్రొఫైల్‌లో దాన్ని తీసేసి అన్ని పరికరాల నుండి సైన్ అవుట్ చేయండి.',
  },
  { repeatable: true },
);

export const passkeyRemoved = inLanguages<Record<never, string>>(
  'passkey-removed-2',
  {
    en: () =>
      'Karaar: a passkey was removed from your account. If this was not you, sign in, sign out everywhere and contact Karaar support.',
    hi: () =>
      'Karaar: आपके खाते से एक पासकी हटाई गई। अगर यह आपने नहीं किया, तो साइन इन करें, सभी डिवाइस से साइन आउट करें और Karaar सहायता से संपर्क करें।',
    ta: () =>
      'Karaar: உங்கள் கணக்கிலிருந்து ஒரு பாஸ்கீ நீக்கப்பட்டது. இதை நீங்கள் செய்யவில்லை என்றால், உள்நுழைந்து எல்லா சாதனங்களிலிருந்தும் வெளியேறி Karaar உதவியைத் தொடர்புகொள்ளவும்.',
    bn: () =>
      'Karaar: আপনার অ্যাকাউন্ট থেকে একটি পাসকি সরানো হয়েছে। এটি আপনি না করে থাকলে সাইন ইন করুন, সব ডিভাইস থেকে সাইন আউট করুন এবং Karaar সহায়তায় যোগাযোগ করুন।',
    mr: () =>
      'Karaar: तुमच्या खात्यातून एक पासकी काढली गेली. हे तुम्ही केले नसेल तर साइन इन करा, सर्व डिव्हाइसवरून साइन आउट करा आणि Karaar सहाय्याशी संपर्क साधा.',
    te: () =>
      'Karaar: మీ ఖాతా నుండి ఒక పాస్‌కీ తీసివేయబడింది. ఇది మీరు చేయకపోతే, సైన్ ఇన్ చేసి, అన్ని పరికరాల నుండి సైన్ అవుట్ చేసి, Karaar సహాయాన్ని సంప్రదించండి.',
  },
  { repeatable: true },
);

/** Names that need an approved template at MSG91. */
export const TEXT_TEMPLATES: readonly string[] = names;
