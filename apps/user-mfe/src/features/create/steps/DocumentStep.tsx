import { screen, useTexts } from '@karaar/i18n';
import { LoadBoundary, Sheet, Stack } from '@karaar/ui';
import { Suspense } from 'react';
import { DetailsFields } from '../form/DetailsFields.tsx';
import { FileList } from '../files/FileList.tsx';
import { PageDetails } from '../form/PageDetails.tsx';
import { nameFromFile } from './steps.ts';
import type { Fault } from './steps.ts';
import { createTexts } from '../texts.ts';
import type { useEntered } from '../form/useEntered.ts';
import type { AskedFile } from '../files/useFileQuestions.ts';

// Few files need it; in a chunk that the form loads anyway.
const FileQuestion = screen(
  () => import(/* webpackChunkName: "capturing" */ '../files/FileQuestion.tsx'),
  [],
);

const ExcludedNotice = screen(
  () => import(/* webpackChunkName: "capturing" */ '../excluded/ExcludedNotice.tsx'),
  [],
);

export type StepProps = {
  entered: ReturnType<typeof useEntered>;
  faultAt: (field: Fault['field']) => string | undefined;
};

/** The files come first: they name the document, unless it has a name. */
export function DocumentStep({ entered, faultAt, asked }: StepProps & { asked: readonly AskedFile[] }) {
  const t = useTexts(createTexts);
  const { form, files, kept, accepted } = entered;
  const setFiles = (next: File[]) => {
    const [first] = next;
    const name = form.name.trim() === '' && first ? nameFromFile(first.name) : form.name;
    entered.change({ files: next, form: { ...form, name } });
  };
  return (
    <>
      <Sheet title={t('files')} note={t('filesNote')}>
        <Stack>
          <FileList
            kept={kept}
            onKept={(next) => entered.change({ kept: next })}
            files={files}
            onFiles={setFiles}
            fault={faultAt('files')}
          />
          {asked.map(({ key, isAccepted, remove, ...file }) => (
            <LoadBoundary key={key}>
              <Suspense fallback={null}>
                <FileQuestion
                  file={file}
                  isAccepted={isAccepted}
                  onAccept={() => entered.change({ accepted: [...new Set([...accepted, file.sha256])] })}
                  onRemove={remove}
                />
              </Suspense>
            </LoadBoundary>
          ))}
        </Stack>
      </Sheet>
      <Sheet title={t('details')}>
        <DetailsFields
          form={form}
          onChange={(next) => entered.change({ form: next })}
          fault={faultAt('name')}
          belowName={
            <LoadBoundary missing={() => null}>
              <Suspense fallback={null}>
                <ExcludedNotice
                  titles={[form.name, ...[...kept, ...files].map(({ name }) => nameFromFile(name))]}
                />
              </Suspense>
            </LoadBoundary>
          }
        />
      </Sheet>
      <Sheet title={t('pageDetails')} note={t('pageDetailsNote')}>
        <PageDetails
          entries={form.page_details}
          onChange={(page_details) => entered.change({ form: { ...form, page_details } })}
        />
      </Sheet>
    </>
  );
}
