import { Avatar, Badge, Button, CodeText, Facts, money, Person, Sheet, StatusStamp } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { FileRows } from '@karaar/ui/files';
import { entry, wide, type Group } from '../gallery.ts';

const nothing = () => undefined;
const size = 1_400_000;

export const data: Group = {
  title: 'Data',
  entries: [
    entry('StatusStamp', "A document's state as a stamp on its sheet.", {
      small: (
        <>
          {['draft', 'pending', 'approved', 'finalized', 'rejected'].map((status) => (
            <p key={status}>
              <StatusStamp status={status} />
            </p>
          ))}
        </>
      ),
      large: <StatusStamp status="finalized" large />,
    }),
    entry('Badge', 'A small state beside a person or a row.', {
      tones: (
        <>
          <Badge>Not yet</Badge> <Badge tone="verified">Approved</Badge> <Badge tone="waiting">Pending</Badge>{' '}
          <Badge tone="rejected">Rejected</Badge> <Badge tone="info">You</Badge>
        </>
      ),
    }),
    entry('CodeText', 'A code grouped 4-4, copied whole with one tap.', {
      copy: <CodeText code="7K2M9QXA" label="document code" />,
      plain: <CodeText code="7K2M9QXA" label="document code" copy={false} />,
    }),
    entry('Money', 'Rupees the Indian way, tabular.', {
      sizes: (
        <>
          <h1 className="k-num">{money(125_000)}</h1>
          <p className="k-num">{money(-7.5)}</p>
        </>
      ),
    }),
    entry('Avatar', "A person's photo, or initials.", {
      initials: <Avatar name="Asha Rao" />,
      large: <Avatar name="விக்ரம் ஷா" size={72} />,
    }),
    wide('Person', 'A party of a document: who, how far, and what can be done.', {
      list: (
        <ul>
          <Person
            name="Asha Rao"
            note="Created this document"
            state={<Badge tone="verified">Approved</Badge>}
            actions={<Button compact>Chat</Button>}
          />
          <Person
            name="Vikram Shah"
            note="Invited 2 days ago"
            state={<Badge tone="waiting">Pending</Badge>}
            actions={
              <Button compact variant="reject">
                Remove
              </Button>
            }
          />
        </ul>
      ),
    }),
    wide('Sheet and Facts', 'One subject on a white sheet; names and values.', {
      rest: (
        <Sheet title="Details" note="As agreed on 21 Nov 2026" actions={<Button compact>Edit</Button>}>
          <Facts
            entries={[
              ['Location', 'Pune'],
              ['Starts', '1 Dec 2026'],
              ['Ends', '31 Oct 2027'],
              ['Total', money(335)],
            ]}
          />
        </Sheet>
      ),
    }),
    wide('FileRows', 'Files with their own progress, cancel, retry and remove.', {
      all: (
        <FileRows
          label="Files"
          files={[
            { key: '1', name: 'rent-agreement.pdf', size, state: 'ready', onRemove: nothing },
            { key: '2', name: 'floor-plan.png', size, state: 'sending', progress: 0.62, onCancel: nothing },
            { key: '3', name: 'deposit.docx', size: 48_000, state: 'done', onRemove: nothing },
            {
              key: '4',
              name: 'a-very-long-name-of-a-scanned-page-from-the-phone-2026-11-21.jpeg',
              size,
              state: 'failed',
              fault: 'The connection broke. Try again.',
              onRetry: nothing,
              onRemove: nothing,
            },
          ]}
        />
      ),
    }),
    wide('Article', 'A page that administrators write, as it is read.', {
      rest: (
        <Article
          body={[
            { kind: 'heading', level: 2, runs: [{ text: 'What you can do here' }] },
            {
              kind: 'paragraph',
              runs: [{ text: 'Agree', strong: true }, { text: ' with others, and prove it later.' }],
            },
            {
              kind: 'list',
              items: [
                { depth: 0, number: 1, runs: [{ text: 'Upload the files.' }] },
                { depth: 0, number: 2, runs: [{ text: 'Name the other party.' }] },
              ],
            },
          ]}
        />
      ),
    }),
  ],
};
