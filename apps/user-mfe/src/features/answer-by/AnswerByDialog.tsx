import { call, serverClock, toastText } from '@karaar/api-client';
import { dayInIndia, isAnswerBy } from '@karaar/contracts/answer-by';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Row, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { documentKeys } from '../../shared/queries.ts';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import AnswerByField from './AnswerByField.tsx';

/** A party or an open invitation, with its present answer-by date. */
export type AnswerByTarget = { name: string; answerBy: string | undefined } & (
  { userId: string } | { invitationId: string }
);

type AnswerByDialogProps = { documentId: string; target: AnswerByTarget; onClose: () => void };

/** Lets the creator set, change or remove the date by which a person is asked to answer. */
export function AnswerByDialog({ documentId: id, target, onClose }: AnswerByDialogProps) {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  const [day, setDay] = useState(target.answerBy ?? '');
  const [isWrong, setIsWrong] = useState(false);
  const save = useMutation({
    mutationFn: async (answer_by: string | null) => {
      const body = { answer_by };
      if ('userId' in target)
        await call(documentsRoutes.askToAnswerBy, { params: { id, userId: target.userId }, body });
      else
        await call(invitationsRoutes.askInvitedToAnswerBy, {
          params: { id, invitationId: target.invitationId },
          body,
        });
      return t(answer_by === null ? 'dateRemoved' : 'dateSaved');
    },
    onSuccess: async (message) => {
      toast.success(message);
      onClose();
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('dateFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isAnswerBy(day, dayInIndia(serverClock.date()))) return setIsWrong(true);
    save.mutate(day);
  };
  return (
    <Modal title={t('answerByTitle', { name: target.name })} opened onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2}>
          <AnswerByField
            value={day}
            required
            error={isWrong ? t('answerByWrong') : undefined}
            onChange={(next) => {
              setDay(next);
              setIsWrong(false);
            }}
          />
          {'userId' in target && <p className="k-muted k-small">{t('answerByReminds')}</p>}
          <Row justify="flex-end">
            {target.answerBy && (
              <Button variant="quiet" onClick={() => save.mutate(null)} disabled={save.isPending}>
                {t('removeDate')}
              </Button>
            )}
            <Button type="submit" variant="primary" icon="calendar" loading={save.isPending}>
              {t('saveDate')}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}

/** Opens the dialog for a person. */
export function AnswerByButton({
  target,
  onAsk,
}: {
  target: AnswerByTarget;
  onAsk: (target: AnswerByTarget) => void;
}) {
  const t = useTexts(dashboardTexts);
  const { name, answerBy } = target;
  return (
    <Button
      compact
      variant="quiet"
      icon="calendar"
      aria-label={t(answerBy ? 'changeDateOf' : 'setDateOf', { name })}
      onClick={() => onAsk(target)}
    >
      {t(answerBy ? 'changeDate' : 'setDate')}
    </Button>
  );
}
