/** A mailbox for a large number of e-mails: it stores only which documents each is about. */
import { Mailbox } from '@karaar/testing/providers/mail';

const DOCUMENT = /\/document\/([0-9a-f-]{36})/g;

export class CountingMailbox extends Mailbox {
  /** By document: the Message-IDs of the e-mails about it, without duplicates. */
  readonly about = new Map<string, Set<string>>();
  /** The e-mails without duplicates. */
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
