import { setTimeout as sleep } from 'node:timers/promises';
import { approvedAgreement, eventually, sealing } from '../lib/agreements.ts';
import { patientClient, type Payer } from '../lib/people.ts';

export type Sealed = { pdf: Blob; signer: string };

const VERIFY_EVERY_MS = 250;

/** Seals and verifies agreements while the key of the seal is replaced. No call is repeated. */
export class Seals {
  /** The oldest first. */
  readonly made: Sealed[] = [];
  readonly faults: string[] = [];
  readonly #url: string;
  readonly #owner: Payer;
  readonly #guest: Payer;
  #goesOn = true;
  #work: Promise<unknown> = Promise.resolve();

  constructor(url: string, owner: Payer, guest: Payer) {
    const once = (who: Payer): Payer => ({
      ...who,
      call: patientClient(() => `${url}/api`, who.headers, 0),
    });
    this.#url = url;
    this.#owner = once(owner);
    this.#guest = once(guest);
  }

  /** Creates an agreement and has it sealed. @throws Error when the seal is not valid */
  async seal(): Promise<Sealed> {
    const owner = this.#owner;
    const id = await approvedAgreement(owner, this.#guest);
    await eventually('sealing an agreement', await sealing(owner, id));
    const answer = await fetch(`${this.#url}/api/documents/${id}/final-pdf`, { headers: owner.headers });
    if (!answer.ok) throw new Error(`The final PDF answered ${answer.status}`);
    const pdf = await answer.blob();
    const sealed = { pdf, signer: await this.signerOf(pdf) };
    this.made.push(sealed);
    return sealed;
  }

  /** Adds a fault when the verification names another signer. */
  async check({ pdf, signer }: Sealed): Promise<void> {
    const found = await this.signerOf(pdf);
    if (found !== signer) this.faults.push(`a file sealed by ${signer} is verified as sealed by ${found}`);
  }

  /** Returns the signer of a file by the public verification. @throws Error when the seal is not valid */
  async signerOf(pdf: Blob): Promise<string> {
    const form = new FormData();
    form.set('file', pdf, 'final.pdf');
    const { body } = await patientClient(() => `${this.#url}/api`, {}, 0)('POST', '/verify', form, [200]);
    const { valid, sealed_by: signer } = body;
    if (valid !== true || typeof signer !== 'string')
      throw new Error(`A sealed file is invalid: ${JSON.stringify(body).slice(0, 200)}`);
    return signer;
  }

  /** Seals one agreement after another from now on, and verifies the sealed ones in turns. */
  goOn(): void {
    const repeat = async (work: (turn: number) => Promise<unknown>, everyMs: number): Promise<void> => {
      for (let turn = 0; this.#goesOn; turn += 1) {
        await work(turn).catch((error: unknown) => void this.faults.push(String(error)));
        await sleep(everyMs);
      }
    };
    this.#work = Promise.all([
      repeat(() => this.seal(), 0),
      repeat(async (turn) => {
        const one = this.made[turn % this.made.length];
        if (one !== undefined) await this.check(one);
      }, VERIFY_EVERY_MS),
    ]);
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#work;
  }
}
