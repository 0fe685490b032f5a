import { call, toastText } from '@karaar/api-client';
import { stepUpRoutes } from '@karaar/contracts/documents/step-up';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { statesAct } from '@karaar/contracts/step-up-statement';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useUser } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';
import { NoPasskey, signWithPasskey } from '../signing/authenticator.ts';
import { AskedAct } from './AskedAct.tsx';

/** The server asks to sign another act than the displayed one. */
class OtherAct extends Error {}

/**
 * Signs exactly this act with a passkey.
 * @throws NoPasskey, OtherAct, and errors of the requests
 */
async function confirm(userId: string, act: StepUpAct): Promise<string> {
  const [{ statement_id, statement, use }, { challengeOf }] = await Promise.all([
    call(stepUpRoutes.beginStepUp, { body: { act } }),
    import(/* webpackChunkName: "signing" */ '@karaar/proof/approval/assertion'),
  ]);
  if (!statesAct(statement, userId, act) || use.challenge !== challengeOf(statement)) throw new OtherAct();
  const used = await signWithPasskey(use);
  return (await call(stepUpRoutes.finishStepUp, { body: { statement_id, used } })).grant;
}

type StepUpDialogProps = {
  act: StepUpAct;
  name: string;
  onGrant: (grant: string) => void;
  onCancel: () => void;
};

/** Names the act, and asks for the passkey on a press. */
export default function StepUpDialog({ act, name, onGrant, onCancel }: StepUpDialogProps) {
  const t = useTexts(profileTexts);
  const { user_id: userId } = useUser();
  const sign = useMutation({ mutationFn: () => confirm(userId, act), onSuccess: onGrant });
  return (
    <Modal title={t('stepUpTitle')} opened onClose={onCancel} width={460} dismissible="escape">
      <Stack gap={2}>
        <AskedAct act={act} name={name} />
        <p>{t('stepUpNext')}</p>
        {sign.isError && (
          <div role="alert">
            <Banner tone="rejected">{faultOf(sign.error)}</Banner>
          </div>
        )}
        {sign.error instanceof NoPasskey && <p className="k-muted">{t('stepUpLost')}</p>}
        <Row justify="flex-end">
          <Button onClick={onCancel} disabled={sign.isPending}>
            {t('cancel')}
          </Button>
          <Button variant="primary" icon="shield" onClick={() => sign.mutate()} loading={sign.isPending}>
            {t('stepUpConfirm')}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );

  function faultOf(error: Error): string {
    return error instanceof NoPasskey ? t('stepUpRefused') : toastText(error, t('stepUpFailed'));
  }
}
