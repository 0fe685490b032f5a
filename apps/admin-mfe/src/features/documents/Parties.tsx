import type { AdminDocumentDetail, BiometricKind } from '@karaar/contracts/documents/http';
import { SUPER_ADMINS } from '@karaar/contracts/kit';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, CodeText, formatDateTime, Banner, Person, Sheet, userName } from '@karaar/ui';
import { useState } from 'react';
import { useHasRole } from '../../shared/useAdmin.ts';
import own from './documents.module.css';
import { imageTexts, OpenImage } from './OpenImage.tsx';
import { documentsTexts } from './texts.ts';

type Party = AdminDocumentDetail['parties'][number];

const stateTexts = {
  primary: 'statePrimary',
  invited: 'stateInvited',
  requested: 'stateRequested',
  admitted: 'stateAdmitted',
  approved: 'stateApproved',
  rejected: 'stateRejected',
} as const satisfies Record<Party['state'], string>;
const hintTexts = {
  one_image_twice: 'hintTwice',
  shared_image: 'hintShared',
  same_photo: 'hintSame',
  similar_photo: 'hintSimilar',
  eyes_differ: 'hintEyes',
} as const;

const toneOf = (party: Party) =>
  party.state === 'rejected' ? 'rejected' : party.approved ? 'verified' : 'waiting';

/** The parties of a document and the list of their images, which open only with a reason. */
export function Parties({ document }: { document: AdminDocumentDetail }) {
  const t = useTexts(documentsTexts);
  const mayOpen = useHasRole(SUPER_ADMINS);
  const [selected, setSelected] = useState<{ party: Party; kind: BiometricKind } | null>(null);
  return (
    <Sheet title={t('parties')} note={mayOpen ? t('imagesNote') : t('imagesClosed')}>
      <ul className={own.people}>
        {document.parties.map((party) => (
          <Person
            key={party.user_id}
            name={userName(party.name)}
            note={
              <span className={own.contact}>
                <CodeText code={party.char_id} label={t('charId')} />
                <span translate="no">{[party.phone_no, party.email].filter(Boolean).join(' · ')}</span>
                {party.approved_at && (
                  <span>{t('approvedAt', { time: formatDateTime(party.approved_at) })}</span>
                )}
                {mayOpen && party.images.length > 0 && (
                  <span className={own.images}>
                    {party.images.map((kind) => (
                      <Button key={kind} compact icon="eye" onClick={() => setSelected({ party, kind })}>
                        {t(imageTexts[kind])}
                      </Button>
                    ))}
                  </span>
                )}
              </span>
            }
            state={<Badge tone={toneOf(party)}>{t(stateTexts[party.state])}</Badge>}
          />
        ))}
      </ul>
      <div className={own.hints}>
        {document.parties.map(({ user_id, name, photo_hints = [] }) =>
          photo_hints.map((hint) => (
            <Banner key={`${user_id}${hint}`} tone="waiting">
              {t(hintTexts[hint], { name: userName(name) })}
            </Banner>
          )),
        )}
      </div>
      {selected && (
        <OpenImage
          documentId={document.document_id}
          userId={selected.party.user_id}
          name={userName(selected.party.name)}
          kind={selected.kind}
          onClose={() => setSelected(null)}
        />
      )}
    </Sheet>
  );
}
