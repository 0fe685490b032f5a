import { toAsked, toCreator } from './words.ts';

const DAY = '2026-12-12';
/** The last and the first moment of a day in India. */
const lastMoment = new Date('2026-12-12T18:29:59Z');
const nextDay = new Date('2026-12-12T18:30:00Z');

it('asks the party until the end of the day in India, and then shows that an answer is still possible', () => {
  expect(toAsked(DAY, lastMoment)).toEqual({
    passed: false,
    message: { key: 'answerBy', values: { day: '12 Dec 2026' } },
  });
  expect(toAsked(DAY, nextDay)).toMatchObject({ passed: true, message: { key: 'answerByPassed' } });
});

it('shows the creator the date, and after it the parties who have not answered', () => {
  expect(toCreator(DAY, 'Vikram', lastMoment)).toMatchObject({
    passed: false,
    message: { key: 'answerByAsked' },
  });
  expect(toCreator(DAY, 'Vikram', nextDay)).toEqual({
    passed: true,
    message: { key: 'answerByMissed', values: { day: '12 Dec 2026', name: 'Vikram' } },
  });
});
