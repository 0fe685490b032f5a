export interface ReceivedMail {
  /** Its Message-ID: a repeated one is the same mail, as at the large mailbox providers. */
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  attachments: { name: string; type: string; bytes: number; sha256: string }[];
  headers: Record<string, string>;
  /** ISO 8601, of its first arrival. */
  received_at: string;
  /** How often it was delivered; the recipient sees it once. */
  arrivals: number;
}

const MAX_MAILS = 1_000;

/** All mailboxes, kept in memory only. */
export class Mailbox {
  #mails: ReceivedMail[] = [];

  receive(mail: Omit<ReceivedMail, 'received_at' | 'arrivals'>): void {
    const known = this.#mails.find(({ id, to }) => id === mail.id && to === mail.to);
    if (known) known.arrivals += 1;
    else {
      const one = { ...mail, received_at: new Date().toISOString(), arrivals: 1 };
      this.#mails = [one, ...this.#mails].slice(0, MAX_MAILS);
    }
  }

  /** Newest first. */
  list(to?: string): ReceivedMail[] {
    return to === undefined ? this.#mails : this.#mails.filter((mail) => mail.to === to.toLowerCase());
  }
}
