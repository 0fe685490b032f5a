import { startLanguage } from '@karaar/i18n';
import { uiTexts } from '@karaar/ui/texts';
import { eventEvidence, eventMessage, wordedEvents } from './event-words.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await Promise.all([detailTexts.load(), uiTexts.load()]);
  await startLanguage('hi');
});

const words = (type: string, subject_name: string | null = null, detail = '') => {
  const message = eventMessage({ type, subject_name, detail });
  return message && detailTexts.say(message);
};

describe('the history', () => {
  it('names the user an event is about', () => {
    expect(words('party.invited', 'Vikram Shah')).toBe('Vikram Shah को आमंत्रण भेजा');
    expect(words('party.removed')).toBe('अज्ञात यूज़र को हटाया');
  });

  it('says that an invitation has replaced another one', () => {
    const said = (detail: string) => words('party.contact_invited', null, detail);
    expect(said('Invited a person by phone')).toBe('फ़ोन या ईमेल से एक व्यक्ति को आमंत्रण भेजा');
    const instead = 'Invited a person by e-mail in place of the invited person, to answer by 12 Dec 2026';
    expect(said(instead)).toContain('आमंत्रित व्यक्ति की जगह');
  });

  it('has a text for every kind of event, and falls back to the event’s own text', () => {
    for (const type of wordedEvents) expect(words(type, 'Vikram')).toMatch(/\p{Script=Devanagari}/u);
    expect([words('document.eaten'), words('constructor')]).toEqual([null, null]);
  });

  it('keeps the sources of images, amounts and names of the English record', () => {
    const sha256 = 'a'.repeat(64);
    const photos = {
      profile_pic: { sha256, source: 'live' as const },
      eye: { sha256, source: 'unstated' as const },
      sign: { sha256, method: 'drawn' as const },
    };
    const { keys, texts } = eventEvidence({
      detail: 'Approved; verified by face, eye and signature',
      photos,
    });
    expect(keys.map((key) => detailTexts.say(key))).toEqual([
      detailTexts.say('faceLive'),
      detailTexts.say('signDrawn'),
    ]);
    expect(texts).toEqual([]);
    expect(eventEvidence({ detail: 'Paid ₹1,402.80 from the wallet' }).texts).toEqual(['₹1,402.80']);
    const renamed = 'Changed the name of the account from “Asha Rao” to “Asha Rao Iyer”';
    expect(eventEvidence({ detail: renamed }).texts).toEqual(['“Asha Rao”', '“Asha Rao Iyer”']);
  });

  it('shows the day by which a party is asked to answer in the reader’s language', () => {
    const dayOf = (detail: string) => eventEvidence({ detail }).day;
    expect(dayOf('Invited Vikram Shah, to answer by 12 Dec 2026')).toBe('12 दिस॰ 2026');
    expect(dayOf('Asked the invited person to answer by 3 Sept 2026')).toBe('3 सित॰ 2026');
    expect(dayOf('Reminded Lease 12 Dec 2026')).toBeNull();
  });

  it('keeps the names of files', () => {
    const textsOf = (detail: string) => eventEvidence({ detail }).texts;
    expect(textsOf('Started finalization; attached plan.pdf, bill of 12 Dec 2026.docx')).toEqual([
      'plan.pdf, bill of 12 Dec 2026.docx',
    ]);
    const accepted = 'Created with 2 files; accepted: Page 3 of "plan.pdf" is kept as a picture';
    expect(textsOf(`${accepted}; creator verified by face, eye and signature`)).toEqual(['"plan.pdf"']);
    expect(textsOf('Finalization failed: "plan.pdf" takes too long to be drawn.')).toEqual(['"plan.pdf"']);
  });
});
