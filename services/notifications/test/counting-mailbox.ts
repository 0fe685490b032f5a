/** A mailbox for very many e-mails: keeps no text, but which documents each of them is about. */
import { Mailbox } from '@karaar/testing/providers/mail';

const DOCUMENT = /\/document\/([0-9a-f-]{36})/g;

export class CountingMailbox extends Mailbox {
  /** By document: the Message-IDs of the e-mails that a reader sees about it. */
  readonly about = new Map<string, Set<string>>();
  /** E-mails that a reader sees. */
  readonly seen = new Set<string>();
  arrivals = 0;

  override receive(mail: Parameters<Mailbox['receive']>[0]): void {
    this.arrivals += 1;
    this.seen.add(`${mail.id} ${mail.to}`);
    for (const [, document = ''] of mail.text.matchAll(DOCUMENT)) {
      const mails = this.about.get(document) ?? new Set();
      this.about.set(document, mails.add(mail.id));
    }
  }
}
