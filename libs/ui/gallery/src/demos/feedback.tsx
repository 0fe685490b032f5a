import {
  Button,
  EmptyState,
  ErrorState,
  MissingPart,
  Modal,
  Banner,
  PageSkeleton,
  ProgressBar,
  Skeleton,
  toast,
  useConfirm,
} from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { CardsSkeleton, DetailSkeleton, ListSkeleton, TableSkeleton } from '@karaar/ui/skeletons';
import { useState } from 'react';
import { entry, wide, type Group } from '../gallery.ts';

function ConfirmDemo() {
  const { ask, dialog } = useConfirm();
  const question = {
    title: 'Finalize this document?',
    text: 'Once finalized, you will not be able to edit this document anymore. Continue?',
    confirm: 'Finalize',
  };
  return (
    <>
      <Button onClick={() => void ask(question)}>Ask</Button>
      {dialog}
    </>
  );
}

function ModalDemo() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Open</Button>
      <Modal title="Add funds" opened={opened} onClose={() => setOpened(false)}>
        <p>A dialog in the middle; on a phone a sheet from below.</p>
      </Modal>
    </>
  );
}

export const feedback: Group = {
  title: 'Feedback',
  entries: [
    wide('Welcome', 'An empty page: what belongs here, and the first step.', {
      page: (
        <Welcome
          picture="documents"
          title="Your first agreement"
          text="Upload what you have agreed on, name the other side by their user ID, and sign."
          action={
            <Button variant="primary" icon="plus">
              Create Document
            </Button>
          }
        />
      ),
      small: (
        <Welcome small picture="search" title="Nobody found" text="Check the spelling, or search by phone." />
      ),
    }),
    entry('EmptyState', 'The same with an icon, where a drawing would be too much.', {
      rest: <EmptyState icon="chat" title="No messages" text="Write the first one below." />,
    }),
    entry('ErrorState', 'Something could not be loaded, and a way to try again.', {
      retry: (
        <ErrorState title="Failed to load document" text="The connection broke." onRetry={() => undefined} />
      ),
      retrying: <ErrorState title="Failed to load document" onRetry={() => undefined} retrying />,
    }),
    entry('MissingPart', 'In the place of a part whose code could not be loaded; what is around it stays.', {
      rest: <MissingPart onRetry={() => undefined} retrying={false} />,
    }),
    entry('Banner', 'A calm line that says how things are.', {
      info: <Banner>Nobody has been invited yet.</Banner>,
      waiting: <Banner tone="waiting">Waiting for Vikram Shah to approve.</Banner>,
      verified: <Banner tone="verified">Everybody has approved.</Banner>,
      rejected: <Banner tone="rejected">No face detected. Please retake.</Banner>,
    }),
    entry('Toast', 'Error 4 s, success 2 s, others 4 s, document code 6 s; 20 at once.', {
      kinds: (
        <>
          <Button compact onClick={() => toast.success('Profile updated successfully')}>
            Success
          </Button>{' '}
          <Button compact onClick={() => toast.error('Failed to send OTP')}>
            Error
          </Button>{' '}
          <Button compact onClick={() => toast.info('Document code 7K2M 9QXA', 6_000)}>
            Code
          </Button>
        </>
      ),
    }),
    entry('Modal and Confirm', 'Asks before what cannot be undone.', {
      confirm: <ConfirmDemo />,
      modal: <ModalDemo />,
    }),
    entry('ProgressBar', 'How far something is, or that it goes on.', {
      half: <ProgressBar label="Uploading" value={0.5} />,
      endless: <ProgressBar label="Sealing the document" />,
    }),
    entry('Skeleton', 'Where content will stand.', { text: <Skeleton lines={3} /> }),
    wide('Skeletons by shape', 'Table, cards, people and detail hold the place of what comes.', {
      cards: <CardsSkeleton label="Loading" />,
      table: <TableSkeleton label="Loading" rows={3} />,
      list: <ListSkeleton label="Loading" rows={2} />,
      detail: <DetailSkeleton label="Loading" />,
      page: <PageSkeleton />,
    }),
  ],
};
