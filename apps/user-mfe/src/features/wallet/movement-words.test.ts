import { movementMessage } from '@karaar/contracts/movement-words';
import { startLanguage } from '@karaar/i18n';
import { walletTexts } from './texts.ts';

/** The descriptions as the wallet writes them (services/wallet, services/payments). */
const descriptions = [
  'Wallet top-up',
  'Wallet top-up, card fee of ₹11.80 paid on top',
  'Payment for Rent, {flat} 2',
  'Reversal of payment for Rent, {flat} 2',
  'Refund to card',
  'Refund to card not possible',
  'Disputed card payment',
  'Disputed card payment returned',
  'Rest given up',
];

beforeAll(() => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  return walletTexts.load();
});

const words = (description: string) => {
  const message = movementMessage(description);
  return message && walletTexts.say(message);
};

describe('the description of a transaction', () => {
  it('is the wallet’s text in English', () => {
    expect(descriptions.map(words)).toEqual(['Wallet top-up', ...descriptions.slice(1)]);
  });

  it('is in the language of the reader, with names unchanged', async () => {
    await startLanguage('hi');
    expect(words('Payment for Rent, {flat} 2')).toBe('“Rent, {flat} 2” के लिए भुगतान');
    expect(words('Wallet top-up, card fee of ₹11.80 paid on top')).toContain('₹11.80');
    expect(movementMessage('Something new')).toBeNull();
  });
});
