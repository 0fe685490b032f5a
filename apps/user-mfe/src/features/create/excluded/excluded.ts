/**
 * Titles that name an instrument of the First Schedule of the Information Technology Act, 2000, as amended on
 * 26 September 2022. Cheques and contracts for the sale of land are not in it.
 */
const NAMES = [
  // Wills. "I will pay" and "Goodwill" are not: the noun begins the title or has one of its companions.
  String.raw`^(my|the|our)?\s*(last\s+)?will(\s*(of|dated)\s.*|\s*\d*)$`,
  String.raw`['’]s\s+will$|\blast\s+will\b|\bwill\s*(&|and)\s*testament\b|\bwill\s+deed\b|\bdeed\s+of\s+will\b`,
  String.raw`\b(codicil|testament|wasiyat|vasiyat|wasiyatnama|vasiyatnama)\b`,
  // Trusts.
  String.raw`\btrust\s+deed\b|\b(deed|declaration|instrument)\s+of\s+trust\b|\b(private|family|charitable|public)\s+trust\b`,
  // Powers of attorney.
  String.raw`\bpowers?[\s-]+of[\s-]+attorney\b|\b(mukhtarnama|mukhtyarnama|mukhtiarnama)\b`,
  // Negotiable instruments other than cheques.
  String.raw`\bpromissory\s+notes?\b|\bbills?\s+of\s+exchange\b|\b(pronote|hundi)s?\b`,
].map((source) => new RegExp(source, 'iu'));

/** Stems in the five other languages, and words that people write for them; William is not a will. */
const STEMS = [
  ...[
    'वसीयत',
    'मुख्तारनामा',
    'मुख़्तारनामा',
    'न्यास विलेख',
    'ट्रस्ट डीड',
    'वचन पत्र',
    'वचनपत्र',
    'प्रॉमिसरी नोट',
    'विनिमय पत्र',
  ],
  ...[
    'मृत्युपत्र',
    'इच्छापत्र',
    'मुखत्यारपत्र',
    'कुलमुखत्यार',
    'विश्वस्त लेख',
    'न्यास लेख',
    'वचनचिठ्ठी',
    'विनिमयपत्र',
    'पॉवर ऑफ',
    'पावर ऑफ',
  ],
  ...[
    'উইল(?!ি)',
    'আমমোক্তারনামা',
    'মোক্তারনামা',
    'ট্রাস্ট দলিল',
    'ট্রাস্ট ডিড',
    'অছিনামা',
    'প্রমিসরি নোট',
    'বিনিময় বিল',
    'পাওয়ার অফ',
  ],
  ...[
    'உயில்',
    'அதிகாரப் பத்திர',
    'அதிகார பத்திர',
    'அறக்கட்டளைப் பத்திர',
    'அறக்கட்டளை பத்திர',
    'கடனுறுதிச் சீட்டு',
    'உறுதிமொழிச் சீட்டு',
    'மாற்றுச் சீட்டு',
    'பவர் ஆஃப்',
  ],
  ...[
    'వీలునామా',
    'అధికార పత్ర',
    'ముక్తారునామా',
    'ట్రస్ట్ డీడ్',
    'ధర్మకర్తృత్వ',
    'ప్రామిసరీ నోటు',
    'ప్రామిసరీ నోట్',
    'వినిమయ బిల్లు',
    'పవర్ ఆఫ్',
  ],
].map(plain);

function plain(text: string): string {
  // Nukta and joiners are written or left out; NFKD separates the nukta from its letter.
  return text
    .normalize('NFKD')
    .replace(/[\u093c\u09bc\u200c\u200d]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns true if a title names an instrument that the First Schedule keeps from electronic form. */
export function namesExcluded(title: string): boolean {
  const words = plain(title.replaceAll('_', ' '));
  const separate = (stem: string) => new RegExp(`(?<![\\p{L}\\p{M}])${stem}`, 'u').test(words);
  return NAMES.some((name) => name.test(words)) || STEMS.some(separate);
}
