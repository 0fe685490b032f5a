import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, saveFile, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { sharedTexts } from './texts.ts';

/** Downloads the filtered list. */
export function ExportButton({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const t = useTexts(sharedTexts);
  const run = useMutation({
    mutationFn: load,
    onSuccess: (file) => {
      saveFile(file, `karaar-${name}.csv`);
      toast.success(t('exported'));
    },
    onError: (error) => toast.error(toastText(error, t('exportFailed'))),
  });
  return (
    <Button icon="download" loading={run.isPending} onClick={() => run.mutate()}>
      {t('export')}
    </Button>
  );
}
