import { ApiError, call, toastText } from '@karaar/api-client';
import { verifyRoutes } from '@karaar/contracts/documents/verify';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, FileDrop, Page, ProgressBar, Sheet, Stack, toast } from '@karaar/ui';
import { CodeField, codeOnly } from '@karaar/ui/fields';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useTitle } from '../../shared/useTitle.ts';
import { Findings } from './Findings.tsx';
import { verifyTexts } from './texts.ts';

/** Verifies a sealed PDF without an account, by the file or by the code on its pages. */
export default function Verify() {
  const t = useTexts(verifyTexts);
  useTitle(t('title'));
  const { code = '' } = useParams();
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const file = useMutation({
    mutationFn: (chosen: File) =>
      call(verifyRoutes.verify, { fields: {}, files: { file: chosen } }, { onProgress: setProgress }),
  });
  const byCode = useQuery({
    queryKey: ['verify', code],
    queryFn: ({ signal }) => call(verifyRoutes.verifyCode, { params: { code } }, { signal }),
    enabled: code !== '' && file.isIdle,
    retry: false,
  });
  const choose = ([chosen]: File[]) => {
    setProgress(undefined);
    if (chosen?.size === 0) return toast.error(t('empty'));
    if (chosen) file.mutate(chosen);
  };
  const busy = file.isPending || byCode.isFetching;
  const found = file.data ?? (file.isIdle ? byCode.data : undefined);
  const fault = file.error ?? (file.isIdle ? byCode.error : null);

  return (
    <Page title={t('title')} lead={t('lead')} narrow>
      <Stack gap={2.5}>
        <FileDrop
          label={t('drop')}
          hint={t('dropHint')}
          accept="application/pdf,.pdf"
          icon="shield"
          onFiles={choose}
        />
        {busy && (
          <ProgressBar label={t('working')} {...(progress === undefined ? {} : { value: progress })} />
        )}
        {!busy && fault && (
          <ErrorState
            title={toastText(fault, t('failed'))}
            {...(isUnknown(fault)
              ? {}
              : { onRetry: () => (file.isIdle ? void byCode.refetch() : file.reset()) })}
          />
        )}
        {!busy && found && <Findings found={found} of={file.data ? 'file' : 'code'} />}
        {!busy && !found && <CodeForm initial={code} onStart={() => file.reset()} />}
        {!busy && found && (
          <Button
            onClick={() => {
              file.reset();
              void navigate('/verify');
              window.scrollTo({ top: 0 });
            }}
            icon="refresh"
          >
            {t('another')}
          </Button>
        )}
      </Stack>
    </Page>
  );
}

/** The form for another code follows. */
const isUnknown = (fault: Error): boolean => fault instanceof ApiError && fault.status === 404;

function CodeForm({ initial, onStart }: { initial: string; onStart: () => void }) {
  const t = useTexts(verifyTexts);
  const navigate = useNavigate();
  const [code, setCode] = useState(() => codeOnly(initial));
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!code);
    if (!code) return field.current?.focus();
    onStart();
    void navigate(`/verify/${code}`);
  };
  return (
    <Sheet title={t('or')}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2}>
          <CodeField
            ref={field}
            label={t('code')}
            hint={t('codeHint')}
            error={missing && !code ? t('codeMissing') : undefined}
            value={code}
            onChange={setCode}
          />
          <Button type="submit" wide>
            {t('codeLook')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  );
}
