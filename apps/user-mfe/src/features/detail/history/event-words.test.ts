import { startLanguage } from '@karaar/i18n';
import { uiTexts } from '@karaar/ui/texts';
import { eventMessage, wordedEvents } from './event-words.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await Promise.all([detailTexts.load(), uiTexts.load()]);
  await startLanguage('hi');
});

const words = (type: string, subject_name: string | null = null) => {
  const message = eventMessage({ type, subject_name });
  return message && detailTexts.say(message);
};

describe('the history', () => {
  it('names the user an event is about', () => {
    expect(words('party.invited', 'Vikram Shah')).toBe('Vikram Shah को न्योता भेजा');
    expect(words('party.removed')).toBe('अज्ञात यूज़र को हटाया');
  });

  it('has a text for every kind of event, and falls back to the event’s own text', () => {
    for (const type of wordedEvents) expect(words(type, 'Vikram')).toMatch(/\p{Script=Devanagari}/u);
    expect([words('document.eaten'), words('constructor')]).toEqual([null, null]);
  });
});
