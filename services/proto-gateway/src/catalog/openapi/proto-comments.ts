import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescService,
} from '@bufbuild/protobuf';

/** A descriptor that can have a comment. */
export type Commented = DescMessage | DescField | DescEnum | DescEnumValue | DescService | DescMethod;

/** Field numbers of the lists in descriptor.proto, for paths of source info. */
const MESSAGE_OF_FILE = 4;
const ENUM_OF_FILE = 5;
const SERVICE_OF_FILE = 6;
const FIELD_OF_MESSAGE = 2;
const MESSAGE_OF_MESSAGE = 3;
const ENUM_OF_MESSAGE = 4;
const VALUE_OF_ENUM = 2;
const METHOD_OF_SERVICE = 2;

/**
 * The comment above a declaration in its `.proto` file, its lines joined; undefined without one, or if the image was
 * built without source info (as reflection always is).
 */
export function commentOf(desc: Commented): string | undefined {
  return commentsOf(fileOf(desc)).get(pathOf(desc).join('.'));
}

/**
 * The examples in a comment: the texts in backticks after "such as", up to the end of the sentence. `Name of the timer, such as
 * `day` or `week`.` gives two.
 */
export function examplesIn(comment: string | undefined): readonly string[] {
  const sentence = /\bsuch as ((?:`[^`]+`(?:, | or |, or )?)+)/.exec(comment ?? '')?.[1] ?? '';
  return [...sentence.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

/** A document reads the comments of a file hundreds of times. Entries are collected with their file. */
const commentsByFile = new WeakMap<DescFile, ReadonlyMap<string, string>>();

function commentsOf(file: DescFile): ReadonlyMap<string, string> {
  const known = commentsByFile.get(file);
  if (known !== undefined) return known;
  const comments = new Map(
    (file.proto.sourceCodeInfo?.location ?? []).flatMap(({ path, leadingComments }) => {
      const text = leadingComments.replace(/\s+/g, ' ').trim();
      return text === '' ? [] : [[path.join('.'), text] as const];
    }),
  );
  commentsByFile.set(file, comments);
  return comments;
}

function fileOf(desc: Commented): DescFile {
  return 'file' in desc ? desc.file : desc.parent.file;
}

function pathOf(desc: Commented): readonly number[] {
  switch (desc.kind) {
    case 'message':
      return desc.parent === undefined
        ? [MESSAGE_OF_FILE, desc.file.proto.messageType.indexOf(desc.proto)]
        : [...pathOf(desc.parent), MESSAGE_OF_MESSAGE, desc.parent.proto.nestedType.indexOf(desc.proto)];
    case 'enum':
      return desc.parent === undefined
        ? [ENUM_OF_FILE, desc.file.proto.enumType.indexOf(desc.proto)]
        : [...pathOf(desc.parent), ENUM_OF_MESSAGE, desc.parent.proto.enumType.indexOf(desc.proto)];
    case 'service':
      return [SERVICE_OF_FILE, desc.file.proto.service.indexOf(desc.proto)];
    case 'field':
      return [...pathOf(desc.parent), FIELD_OF_MESSAGE, desc.parent.proto.field.indexOf(desc.proto)];
    case 'enum_value':
      return [...pathOf(desc.parent), VALUE_OF_ENUM, desc.parent.proto.value.indexOf(desc.proto)];
    case 'rpc':
      return [...pathOf(desc.parent), METHOD_OF_SERVICE, desc.parent.proto.method.indexOf(desc.proto)];
  }
}
