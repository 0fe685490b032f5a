import type { Language } from '@karaar/i18n/languages';

/** In the entry, in all languages: when they are needed nothing else could be loaded. */
export const failureTexts: Record<Language, { title: string; help: string; retry: string }> = {
  en: {
    title: 'Karaar could not be loaded',
    help: 'Check your connection and try again.',
    retry: 'Try again',
  },
  hi: {
    title: 'Karaar लोड नहीं हो सका',
    help: 'इंटरनेट कनेक्शन देखें और फिर कोशिश करें।',
    retry: 'फिर कोशिश करें',
  },
  ta: {
    title: 'Karaar-ஐ ஏற்ற முடியவில்லை',
    help: 'இணைய இணைப்பைச் சரிபார்த்து மீண்டும் முயலவும்.',
    retry: 'மீண்டும் முயலவும்',
  },
  bn: {
    title: 'Karaar লোড করা যায়নি',
    help: 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন।',
    retry: 'আবার চেষ্টা করুন',
  },
  mr: {
    title: 'Karaar लोड होऊ शकले नाही',
    help: 'इंटरनेट कनेक्शन तपासा आणि पुन्हा प्रयत्न करा.',
    retry: 'पुन्हा प्रयत्न करा',
  },
  te: {
    title: 'Karaar లోడ్ కాలేదు',
    help: 'ఇంటర్నెట్ కనెక్షన్ చూసి మళ్లీ ప్రయత్నించండి.',
    retry: 'మళ్లీ ప్రయత్నించండి',
  },
};
