/** The dashboard's lists of the user's tasks, each with a button, and of the people that the user waits for. */
import { jest } from '@jest/globals';
import { agree, balanceOf, createDocument, share } from '../src/journey.ts';
import { DESKTOP, PHONE, withScreen } from '../src/browser/opened.ts';
import { newPerson, verification, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { sharedProduct } from '../src/shared-product/index.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(180_000);

const { url } = sharedProduct;

const world = await openBrowser();

/** Returns the rows of the sheet with this title: sentence, document and button. */
const rows = async ({ page, settled }: Screen, title: string) => {
  await settled();
  return page.$$eval(
    'main section',
    (sheets, wanted) =>
      [
        ...(sheets.find((each) => each.querySelector('h2')?.textContent === wanted)?.querySelectorAll('li') ??
          []),
      ].map((row) => row.innerText.split('\n').filter((line) => line.trim() !== '')),
    title,
  );
};

/** Returns the lines of the title cell of the first document in the list. */
const named = async ({ page, settled }: Screen) => {
  await settled();
  return page.$eval('main table tbody tr th', (cell) =>
    (cell as HTMLElement).innerText.split('\n').filter((line) => line.trim() !== ''),
  );
};

async function asksToJoin(joiner: Person, owner: Person, id: string): Promise<void> {
  const { body } = await owner.call('GET', `/documents/${id}`);
  await joiner.send('/documents/join', {
    document_code: String(body['document_code']),
    ...(await verification(2)),
  });
}

it.each([
  ['on a desktop in English', DESKTOP, 'en'],
  ['on a phone in Hindi', PHONE, 'hi'],
] as const)(
  'lists the tasks of creator and joiner, and admits the joiner with one press, %s',
  async (_, viewport, language) => {
    const [owner, joiner] = [await newPerson(url, 'Asha Rao'), await newPerson(url, 'Meera Nair')];
    const id = await createDocument(owner);
    await asksToJoin(joiner, owner, id);
    const words = {
      en: {
        needs: 'What needs you',
        waiting: 'Waiting for others',
        asks: 'Meera Nair asks to join',
        admit: 'Admit',
        admitTo: 'Admit Meera Nair to Rent agreement',
        asked: 'You asked to join. Waiting for Asha Rao to admit you.',
        letIn: 'Asha Rao is waiting for your approval',
        missing: 'Your approval is missing',
        read: 'Read and approve',
        reading: 'Waiting for Meera Nair to read and approve',
        all: 'All Documents',
        createdBy: 'Created by Asha Rao',
        askedToJoin: 'Asked to join',
        hasAsked: 'You have asked to join Rent agreement',
        with: (name: string) => `With ${name}`,
        yourTurn: 'Your turn: read and approve',
      },
      hi: {
        needs: 'आपको क्या करना है',
        waiting: 'दूसरों का इंतज़ार',
        asks: 'Meera Nair शामिल होना चाहते हैं',
        admit: 'शामिल करें',
        admitTo: 'Meera Nair को Rent agreement में शामिल करें',
        asked: 'आपने शामिल होने का अनुरोध किया है। Asha Rao के जवाब का इंतज़ार है।',
        letIn: 'Asha Rao को आपकी मंज़ूरी का इंतज़ार है',
        missing: 'आपकी मंज़ूरी बाकी है',
        read: 'पढ़ें और मंज़ूरी दें',
        reading: 'Meera Nair के पढ़ने और मंज़ूरी देने का इंतज़ार है',
        all: 'सभी दस्तावेज़',
        createdBy: 'बनाने वाले: Asha Rao',
        askedToJoin: 'शामिल होने का अनुरोध किया',
        hasAsked: 'आपने Rent agreement में शामिल होने का अनुरोध किया है',
        with: (name: string) => `${name} के साथ`,
        yourTurn: 'आपकी बारी: पढ़ें और मंज़ूरी दें',
      },
    }[language];
    const open = (as: Person, look: (screen: Screen) => Promise<void>) =>
      withScreen(world, { path: '/dashboard', as, viewport, storage: { language } }, look);

    await open(joiner, async (screen) => {
      await screen.sees(words.asked);
      expect(await rows(screen, words.waiting)).toEqual([[words.asked, 'Rent agreement']]);
      expect(await rows(screen, words.needs)).toEqual([]);
      // The list has the name, the creator and the state of the request, and nothing else.
      expect(await rows(screen, words.all)).toEqual([['Rent agreement', words.createdBy, words.askedToJoin]]);
      await screen.press('Rent agreement', 'link');
      await screen.sees(words.hasAsked);
    });
    await open(owner, async (screen) => {
      await screen.sees(words.asks);
      expect(await rows(screen, words.needs)).toEqual([[words.asks, 'Rent agreement', words.admit]]);
      await screen.press(words.admitTo);
      await screen.sees(words.reading);
      expect(await rows(screen, words.needs)).toEqual([[words.missing, 'Rent agreement', words.read]]);
      expect(await rows(screen, words.waiting)).toEqual([[words.reading, 'Rent agreement']]);
      expect(await named(screen)).toEqual(['Rent agreement', words.with('Meera Nair'), words.yourTurn]);
    });
    await open(joiner, async (screen) => {
      await screen.sees(words.letIn);
      expect(await named(screen)).toEqual(['Rent agreement', words.with('Asha Rao'), words.yourTurn]);
      await screen.press(`${words.read}: Rent agreement`, 'link');
      await screen.isAt(new RegExp(`^/document/${id}$`));
    });
  },
);

it('asks each payer for their own share before the seal', async () => {
  const [owner, guest] = [await newPerson(url, 'Asha Rao'), await newPerson(url, 'Vikram Shah')];
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  await share(owner, id, [
    [owner, 60],
    [guest, 40],
  ]);
  const due = ['Your share of ₹2.80 can be paid now', 'Rent agreement', 'Pay'];
  await withScreen(world, { path: '/dashboard', as: guest, viewport: PHONE }, async (screen) => {
    await screen.sees(due[0] ?? '');
    expect(await rows(screen, 'What needs you')).toEqual([due]);
    expect(await rows(screen, 'Waiting for others')).toHaveLength(1);
    await screen.press('Pay: Rent agreement', 'link');
    await screen.isAt(new RegExp(`^/document/${id}/payment$`));
    await screen.sees('Make Payment');
  });
  await withScreen(world, { path: '/dashboard', as: owner }, async (screen) => {
    await screen.sees('Your share of ₹4.20 can be paid now');
    expect((await rows(screen, 'What needs you')).map(([sentence]) => sentence)).toEqual([
      'Everyone has approved. It can be sealed.',
      'Your share of ₹4.20 can be paid now',
    ]);
  });
});

it.each([
  ['on a desktop in English', DESKTOP, 'en', 'Adding ₹670 to your wallet is not finished', 'Finish'],
  ['on a phone in Hindi', PHONE, 'hi', 'आपके वॉलेट में ₹670 जोड़ना अभी पूरा नहीं हुआ है', 'पूरा करें'],
] as const)(
  'offers to finish a top-up that was begun, with one press, %s',
  async (_, viewport, language, sentence, finish) => {
    const person = await newPerson(url, 'Asha Rao');
    await person.call('POST', '/wallet/create-razorpay-order', { amount: 670 });
    const needs = { en: 'What needs you', hi: 'आपको क्या करना है' }[language];
    const entry = { path: '/dashboard', as: person, viewport, storage: { language } };
    await withScreen(world, entry, async (screen) => {
      await screen.sees(sentence);
      const [row] = await rows(screen, needs);
      expect([row?.[0], row?.[2]]).toEqual([sentence, finish]);
      await screen.press(`${finish}: ${row?.[1] ?? ''}`);
      await screen.pressInCheckout('Pay ₹670');
      await screen.page.waitForFunction((gone) => !document.body.innerText.includes(gone), {}, sentence);
      await screen.settled();
      expect(await rows(screen, needs)).toEqual([]);
    });
    expect(await balanceOf(person)).toBe(670);
  },
);
