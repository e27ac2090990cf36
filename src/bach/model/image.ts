import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { stringMapOf } from './expressions.ts';
import type { Block } from './hcl/index.ts';
import type { ProcessEnvironment } from './process-environment.ts';
import type { ImageOperation } from './project.ts';
import { IMAGE_ATTRIBUTES } from './schema.ts';

const DEFAULT_BUILDER = 'docker';

/** Reads what an `image` block builds; nothing where it says nothing of an image and so only stands for others. */
export function imageOperation(reader: AttributeReader, process: ProcessEnvironment): ImageOperation | undefined {
  if (IMAGE_ATTRIBUTES.every((name) => reader.given(name) === undefined)) return undefined;
  const names = imageNames(reader);
  return {
    kind: 'image',
    builder: reader.text('builder') || process.read('OCI_BUILDER') || DEFAULT_BUILDER,
    ...names,
    dockerfile: reader.text('dockerfile') || 'Dockerfile',
    context: reader.text('context') || '.',
    platform: reader.text('platform'),
    push: reader.flag('push'),
    buildArgs: [...reader.words('build_args_list'), ...buildArgs(reader)],
  };
}

/** What `image.<name>.tag` stands for: the first full tag, `latest` where none is declared. */
export function imageTag(block: Block, scope: AttributeScope): string {
  const { image, tags, fullTags } = imageNames(new AttributeReader(block, 'image', scope));
  const isTagged = tags.length > 0 || image.lastIndexOf(':') > image.lastIndexOf('/');
  return isTagged ? fullTags[0] : `${image}:latest`;
}

function imageNames(reader: AttributeReader): Pick<ImageOperation, 'image' | 'tags' | 'fullTags'> {
  const image = reader.text('image') || (reader.block.labels[0]?.value ?? '');
  const tags = reader.words('tags');
  const [first = image, ...more] = tags.map((tag) => fullTag(image, tag));
  return { image, tags, fullTags: [first, ...more] };
}

function fullTag(image: string, tag: string): string {
  return /[:/]/.test(tag) ? tag : `${image}:${tag}`;
}

function buildArgs(reader: AttributeReader): readonly string[] {
  const found = reader.given('build_args');
  const map = found && stringMapOf(found.expression, reader.reading('build_args'));
  return [...(map ?? [])].map(([name, value]) => `${name}=${value}`);
}
