import { namesExcluded } from './excluded.ts';

describe('the notice for titles of excluded instruments', () => {
  it.each([
    'Will',
    'My will',
    'Last Will and Testament',
    'Will of Asha Rao',
    'Asha Rao’s will',
    'will_deed_2026',
    'First codicil',
    'Trust Deed',
    'Family trust',
    'Declaration of Trust for the school',
    'General Power of Attorney',
    'power-of-attorney',
    'Demand promissory note',
    'Bill of Exchange',
    'मेरी वसीयत',
    'वसीयतनामा',
    'मुख्तारनामा',
    'मुख़्तारनामा',
    'मृत्युपत्र',
    'मुखत्यारपत्र',
    'উইল',
    'আমমোক্তারনামা',
    'உயில்',
    'அதிகாரப் பத்திரம்',
    'వీలునామా',
    'అధికార పత్రం',
  ])('appears for %s', (title) => {
    expect(namesExcluded(title)).toBe(true);
  });

  it.each([
    '',
    'I will pay',
    'Will you rent the flat',
    'Goodwill',
    'Sale of goodwill',
    'William Dsouza lease',
    'Willingness to work',
    'Trustworthy Traders',
    'Trust me',
    'Tata Trusts offer letter',
    'Attorney fees',
    'Rent paid by cheque',
    'Cheque',
    'Sale deed',
    'Promissory estoppel',
    'Bill of materials',
    'Exchange of flats',
    'टेस्ट',
    'उत्तराधिकार पर लेख',
    'উইলিয়াম কেরি',
    'ট্রাস্ট ব্যাংক',
    'அறக்கட்டளை',
    'విల్లా అద్దె',
  ])('does not appear for %s', (title) => {
    expect(namesExcluded(title)).toBe(false);
  });
});
