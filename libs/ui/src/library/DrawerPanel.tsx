import { Drawer as BaseDrawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { Library } from './Library.tsx';

export type DrawerProps = { label: string; opened: boolean; onClose: () => void; children: ReactNode };

/** The panel of `feedback/Modal.tsx`. */
export default function DrawerPanel({ label, opened, onClose, children }: DrawerProps) {
  return (
    <Library>
      <BaseDrawer.Root
        opened={opened}
        onClose={onClose}
        size={300}
        lockScroll={false}
        transitionProps={{ duration: 140 }}
      >
        <BaseDrawer.Overlay />
        <BaseDrawer.Content aria-label={label}>
          <BaseDrawer.Body>{children}</BaseDrawer.Body>
        </BaseDrawer.Content>
      </BaseDrawer.Root>
    </Library>
  );
}
