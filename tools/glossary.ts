/** The translations of the product's terms, and retired words. */
import type { Language } from '@karaar/contracts/limits';
import type { Catalog } from './texts.ts';

type Translated = Exclude<Language, 'en'>;

/** If the English text matches a term, each translation must match the term's stem in that language. */
// prettier-ignore
const TERMS: { english: RegExp; said: Record<Translated, RegExp> }[] = [
  { english: /\bagreements?\b/i, said: { hi: /करार/, mr: /करार/, bn: /চুক্তি/, ta: /ஒப்பந்த/, te: /ఒప్పంద/ } },
  { english: /\bdocuments?\b/i, said: { hi: /दस्तावेज़/, mr: /दस्तऐवज/, bn: /ডকুমেন্ট/, ta: /ஆவண/, te: /డాక్యుమెంట్/ } },
  { english: /\bseal(ed|s|ing)?\b/i, said: { hi: /सील/, mr: /सील/, bn: /সিল/, ta: /முத்திரை/, te: /సీల/ } },
  { english: /\bsignatures?\b/i, said: { hi: /हस्ताक्षर/, mr: /स्वाक्ष/, bn: /স্বাক্ষর/, ta: /கையொப்ப/, te: /సంతక/ } },
  { english: /\bwallets?\b/i, said: { hi: /वॉलेट/, mr: /वॉलेट/, bn: /ওয়ালেট/, ta: /வாலட்/, te: /వాలెట్/ } },
  { english: /\binvit(e|ed|es|ing|ations?)\b/i, said: { hi: /आमंत्र/, mr: /आमंत्र/, bn: /আমন্ত্র/, ta: /அழை(ப்|த்|க்)/, te: /ఆహ్వా/ } },
  { english: /\bcoins?\b/i, said: { hi: /कॉइन/, mr: /कॉइन/, bn: /কয়েন/, ta: /காயின்/, te: /కాయిన్/ } },
  { english: /\bKaraar\b/, said: { hi: /Karaar/, mr: /Karaar/, bn: /Karaar/, ta: /Karaar/, te: /Karaar/ } },
  { english: /\b(user|order|payment|8-character) ID\b/i, said: { hi: /आईडी/, mr: /आयडी/, bn: /আইডি/, ta: /ஐடி/, te: /ఐడీ/ } },
  { english: /\bdistribution\b/i, said: { hi: /हिस्सेदारी/, mr: /विभागणी/, bn: /বণ্টন/, ta: /பங்கீ/, te: /వాటాల విభజన/ } },
];

/** Words and spellings that texts no longer use. */
const RETIRED: Record<Language, RegExp> = {
  en: /\be-?mail id\b|\bkindly\b|\banew\b/i,
  hi: /संभाल|बँटवार|नाकाम|मसौदा|उपयोगकर्ता|फ़ोन नंबर|डालें|तारीख़|न्योत|निमंत्र/,
  mr: /अॅ|अ\u200dॅ|वाटणी|वापरकर्ता|फोन नंबर|निमंत्र/,
  bn: /[০-৯]|ভাগাভাগি|ব্যবহারকারী|ফোন নম্বর|নিমন্ত্র/,
  ta: /பகிர்வு|தொலைபேசி எண்/,
  te: /డాష్|ధృవీ|పత్రం|పత్రా|తుది రూపం|పంపకం(?!డి)|వినియోగదారు|ఫోన్ నంబర్/,
};

/** English texts with two meanings, which need two translations. */
const TWO_MEANINGS: Record<string, string> = {
  Approved: 'of a document, of documents, and of what a person did',
  Creator: 'the column, and who it was beside a name',
  Finalized: 'of one document, and the count of them',
  Open: 'to open it, and not closed yet',
  Pages: 'of a document, and of the website',
  Rejected: 'of a document, and of what a person did',
  Statement: 'of an account, and what a person approved',
  Seal: 'to seal it, and the seal',
  Type: 'the kind, and to type',
  'Remove {name}': 'a person, and a file',
};

/** Texts about a verification's photos and signature, which are not documents, as `folder:key`. */
const OTHER_SENSE = new Set([
  'apps/user-mfe/src/features/verification:documents',
  'apps/user-mfe/src/features/verification:allFourMissing',
]);

const TRANSLATED: Translated[] = ['hi', 'ta', 'bn', 'mr', 'te'];

/** Returns the English texts with several translations in one language, one line each. */
export function doubleRenderings(
  all: readonly Catalog[],
  allowed: Record<string, string> = TWO_MEANINGS,
): string[] {
  const found: string[] = [];
  for (const language of TRANSLATED) {
    const said = new Map<string, Map<string, string>>();
    for (const { folder, messages } of all)
      for (const [key, english] of Object.entries(messages.en ?? {})) {
        const own = messages[language]?.[key];
        if (own === undefined || english in allowed) continue;
        const ways = said.get(english) ?? new Map<string, string>();
        said.set(english, ways.set(own, `${folder}:${key}`));
      }
    for (const [english, ways] of said)
      if (ways.size > 1)
        found.push(
          `${language}: "${english}" is said as ${[...ways].map(([own, at]) => `"${own}" (${at})`).join(' and ')}`,
        );
  }
  return found;
}

export function idleExceptions(all: readonly Catalog[]): string[] {
  const needed = doubleRenderings(all, {});
  return Object.keys(TWO_MEANINGS).filter((english) => !needed.some((line) => line.includes(`"${english}"`)));
}

/** Returns the texts that translate a term differently or contain a retired word, one line each. */
export function glossaryFaults({ folder, messages }: Catalog): string[] {
  const faults: string[] = [];
  for (const [key, english] of Object.entries(messages.en ?? {})) {
    if (RETIRED.en.test(english)) faults.push(`${folder}:${key} en: ${english}`);
    for (const language of TRANSLATED) {
      const own = messages[language]?.[key];
      if (own === undefined) continue;
      const retired = RETIRED[language].exec(own);
      if (retired) faults.push(`${folder}:${key} ${language} says "${retired[0]}": ${own}`);
      if (OTHER_SENSE.has(`${folder}:${key}`)) continue;
      for (const term of TERMS)
        if (term.english.test(english) && !term.said[language].test(own))
          faults.push(`${folder}:${key} ${language} lacks ${term.said[language]} for "${english}": ${own}`);
    }
  }
  return faults;
}
