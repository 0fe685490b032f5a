import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { sharedTexts } from './texts.ts';

/** Hands the list as it is filtered to the browser's downloads. */
export function ExportButton({ name, load }: { name: string; load: () => Promise<Blob> }) {
  const t = useTexts(sharedTexts);
  const run = useMutation({
    mutationFn: load,
    onSuccess: (file) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(file);
      link.download = `karaar-${name}.csv`;
      link.click();
      // The browser has begun with it by then.
      setTimeout(URL.revokeObjectURL, 10_000, link.href);
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
