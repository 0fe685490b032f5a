import { call, toastText } from '@karaar/api-client';
import { deadLetterRoutes, type DeadLetter } from '@karaar/contracts/auth/dead-letters-http';
import { useTexts } from '@karaar/i18n';
import { Button, CodeText, formatDateTime, toast, wholeNumber } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import css from '../../shared/shared.module.css';
import { failedEventsTexts } from './texts.ts';

/** Returns the columns: the fault of a failed event and its age, never its content; and the actions. */
export function useColumns(onDrop: (letter: DeadLetter) => void): Column<DeadLetter>[] {
  const t = useTexts(failedEventsTexts);
  return [
    {
      key: 'handler',
      header: t('handler'),
      title: true,
      cell: ({ service, handler }) => (
        <span className={css.two} translate="no">
          <span>{handler}</span>
          <span className={css.note}>{service}</span>
        </span>
      ),
    },
    {
      key: 'event',
      header: t('event'),
      cell: ({ subject, event_id }) => (
        <span className={css.two}>
          <span translate="no">{subject}</span>
          <CodeText code={event_id} label={t('event')} short />
        </span>
      ),
    },
    {
      key: 'since',
      header: t('since'),
      cell: ({ since }) => <span className="k-num k-nowrap">{formatDateTime(since)}</span>,
    },
    {
      key: 'tries',
      header: t('tries'),
      align: 'end',
      cell: ({ deliveries }) => <span className="k-num">{wholeNumber(deliveries)}</span>,
    },
    { key: 'fault', header: t('fault'), cell: ({ fault }) => <span translate="no">{fault}</span> },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (letter) => <Acts letter={letter} onDrop={() => onDrop(letter)} />,
    },
  ];
}

function Acts({ letter, onDrop }: { letter: DeadLetter; onDrop: () => void }) {
  const t = useTexts(failedEventsTexts);
  const queries = useQueryClient();
  const { service, handler, event_id } = letter;
  const retry = useMutation({
    mutationFn: () =>
      call(deadLetterRoutes.retryDeadLetter, { params: { service }, body: { handler, event_id } }),
    onSuccess: ({ outcome }) => {
      if (outcome === 'applied') toast.success(t('applied'));
      else toast.error(t(outcome === 'unhandled' ? 'unhandled' : 'failedAgain'));
    },
    onError: (error) => toast.error(toastText(error, t('retryFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'failed-events'] }),
  });
  return (
    <span className={css.answers}>
      <Button compact onClick={onDrop}>
        {t('drop')}
      </Button>
      <Button compact loading={retry.isPending} onClick={() => retry.mutate()}>
        {t('retry')}
      </Button>
    </span>
  );
}
