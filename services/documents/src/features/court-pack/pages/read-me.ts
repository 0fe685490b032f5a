import type { PackHolder } from '../evidence-files.ts';

type Lines = { agreement: string; uploads: string; evidence: string };

const STORED = {
  own: {
    en: {
      agreement: 'the sealed agreement',
      uploads: 'the files that the parties uploaded, as they were uploaded',
      evidence: 'your own photos and signature; of the other parties record.json has the hashes',
    },
    hi: {
      agreement: 'मुहरबंद करार',
      uploads: 'पक्षकारों द्वारा अपलोड की गई मूल फ़ाइलें',
      evidence: 'आपकी अपनी फ़ोटो और हस्ताक्षर; दूसरे पक्षकारों के हैश record.json में हैं',
    },
  },
  all: {
    en: {
      agreement: 'the sealed agreement',
      uploads: 'the files that the parties uploaded, as they were uploaded',
      evidence: 'photos and signatures of all parties, by their user IDs, under an order that is on record',
    },
    hi: {
      agreement: 'मुहरबंद करार',
      uploads: 'पक्षकारों द्वारा अपलोड की गई मूल फ़ाइलें',
      evidence: 'सभी पक्षकारों की फ़ोटो और हस्ताक्षर, उनकी यूज़र आईडी के साथ, अभिलिखित आदेश के अधीन',
    },
  },
  record: {
    en: {
      agreement: 'left out: this pack has the record alone, and the hash of the sealed agreement is in it',
      uploads: 'left out; record.json has the hashes',
      evidence: 'left out: photos and signatures are masked, record.json has the hashes',
    },
    hi: {
      agreement: 'शामिल नहीं: इस पैक में केवल अभिलेख है, और उसमें मुहरबंद करार का हैश है',
      uploads: 'शामिल नहीं; हैश record.json में हैं',
      evidence: 'शामिल नहीं: फ़ोटो और हस्ताक्षर छिपाए गए हैं, हैश record.json में हैं',
    },
  },
} as const satisfies Record<string, Record<'en' | 'hi', Lines>>;

export function readMe(code: string, holder: PackHolder): string {
  const { en, hi } = STORED[holder.kind === 'party' ? 'own' : holder.contents];
  return `KARAAR COURT PACK ${code}

agreement-${code}.pdf     ${en.agreement}
receipt.html               open it in a browser, also without internet, and give it the sealed PDF or this whole ZIP:
                           it checks both and names every file that was changed
uploads/                   ${en.uploads}
evidence/                  ${en.evidence}
record/record.json         the record: parties, approvals with their statements, history with its hash chain
record/timeline.html       the history, readable
certificate/               drafts of the certificate under section 63(4) of the Bharatiya Sakshya Adhiniyam, 2023,
                           in English and Hindi, and the hash report to enclose
LIST.txt                   the hash of every file, signed by the transparency log

The drafts are not legal advice. Check their form against the Schedule to the Act as published in the Gazette of India,
and let a lawyer read them. Yellow fields are statements that only the person who signs can make.


करार न्यायालय पैक ${code}

agreement-${code}.pdf     ${hi.agreement}
receipt.html               इसे ब्राउज़र में खोलें, इंटरनेट के बिना भी, और इसमें मुहरबंद PDF या यह पूरी ZIP दें:
                           यह दोनों को जाँचता है और हर बदली हुई फ़ाइल का नाम बताता है
uploads/                   ${hi.uploads}
evidence/                  ${hi.evidence}
record/                    अभिलेख और घटनाक्रम
certificate/               भारतीय साक्ष्य अधिनियम, 2023 की धारा 63(4) के प्रमाणपत्र के प्रारूप (अंग्रेज़ी और हिन्दी) और हैश रिपोर्ट
LIST.txt                   हर फ़ाइल का हैश, पारदर्शिता लॉग द्वारा हस्ताक्षरित

ये प्रारूप कानूनी सलाह नहीं हैं। इनके रूप को भारत के राजपत्र में प्रकाशित अधिनियम की अनुसूची से मिलाएँ और किसी वकील को दिखाएँ।
पीले स्थान वे कथन हैं जो केवल हस्ताक्षर करने वाला व्यक्ति ही दे सकता है।
`;
}
