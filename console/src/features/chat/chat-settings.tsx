import { Button, Drawer, NumberInput, Stack, Textarea } from '@mantine/core';
import { defaultSettings, type ChatSettings } from './conversation';

interface ChatSettingsDrawerProps {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
  readonly onClose: () => void;
}

const MOST_TOKENS = 1_000_000;

const numberOr = (value: string | number): number | null => (typeof value === 'number' ? value : null);

/** Of this chat only: nothing of it applies to keys or to other people. */
export function ChatSettingsDrawer({ settings, onChange, onClose }: ChatSettingsDrawerProps) {
  const { system, temperature, topP, maxTokens } = settings;
  const isDefault = system === '' && temperature === null && topP === null && maxTokens === null;
  return (
    <Drawer opened onClose={onClose} title="Chat settings" position="right">
      <Stack gap="md">
        <Textarea
          label="System prompt"
          description="Sent before the conversation."
          autosize
          minRows={4}
          data-autofocus
          maxRows={14}
          value={system}
          onChange={(event) => onChange({ ...settings, system: event.currentTarget.value })}
        />
        <NumberInput
          label="Temperature"
          description="0 is the most predictable. Empty: the model’s own."
          min={0}
          max={2}
          step={0.1}
          decimalScale={2}
          value={temperature ?? ''}
          onChange={(value) => onChange({ ...settings, temperature: numberOr(value) })}
        />
        <NumberInput
          label="Top p"
          description="Share of the likeliest tokens to choose from. Empty: the model’s own."
          min={0}
          max={1}
          step={0.05}
          decimalScale={2}
          value={topP ?? ''}
          onChange={(value) => onChange({ ...settings, topP: numberOr(value) })}
        />
        <NumberInput
          label="Max output tokens"
          description="Empty: until the model ends."
          min={1}
          max={MOST_TOKENS}
          allowDecimal={false}
          value={maxTokens ?? ''}
          onChange={(value) => onChange({ ...settings, maxTokens: numberOr(value) })}
        />
        <Button variant="default" disabled={isDefault} onClick={() => onChange(defaultSettings)}>
          Reset
        </Button>
      </Stack>
    </Drawer>
  );
}
