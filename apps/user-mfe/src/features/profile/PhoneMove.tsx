import { call, toastText } from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDateTime, Banner, Row, Stack, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { phoneText } from '../../shared/phone-text.ts';
import { useShell } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

/** A pending new number, requested because the present one is lost; every session can stop it. */
export function PhoneMove({ move }: { move: NonNullable<User['phone_move']> }) {
  const t = useTexts(profileTexts);
  const { replaceUser } = useShell();
  const keep = useMutation({
    mutationFn: () => call(authRoutes.cancelPhoneMove, {}),
    onSuccess: (profile) => {
      replaceUser(profile);
      toast.success(t('phoneKept'));
    },
    onError: (error) => toast.error(toastText(error, t('phoneFailed'))),
  });
  return (
    <Stack gap={1}>
      <Banner tone="waiting">
        {t('phoneWaits', { phone: phoneText(move.phone_no), date: formatDateTime(move.effective_at) })}
      </Banner>
      <Row justify="flex-end">
        <Button compact loading={keep.isPending} onClick={() => keep.mutate()}>
          {t('keepPhone')}
        </Button>
      </Row>
    </Stack>
  );
}
