/** The syntax of a language, as far as a program needs it to edit a file. */
export interface EditedLanguage {
  name: string;
  endings: string[];
  /** A line that begins a function: its indentation and name. */
  functionLine: RegExp;
  typeLine: RegExp;
  /** Whether indentation forms blocks, instead of braces. */
  isIndented: boolean;
  comment: string;
  /** A parameter to add. */
  parameter: (name: string) => string;
  optionalParameter: ((name: string) => string) | null;
  /** Code to put around a declaration. */
  aroundDeclaration: [head: string, foot: string] | null;
  aroundStatements: (condition: string) => [head: string, foot: string];
  /** Types that can replace each other in a signature. */
  types: [string, string][];
  /** A line that assigns a value on which other code may rely; the value is captured. */
  constantLine: RegExp;
}

const statement = (condition: string): [string, string] => [`if (${condition}) {`, '}'];
const bare = (condition: string): [string, string] => [`if ${condition} {`, '}'];

export const editedLanguages: EditedLanguage[] = [
  {
    name: 'TypeScript',
    endings: ['.ts', '.tsx'],
    functionLine:
      /^(\s*)(?:export )?(?:async )?(?:function (\w+)|const (\w+) = (?:async )?\((?=[^()]*\)(?:: [\w<>[\]| ]+)? => \{$))/,
    typeLine: /^(?:export )?(?:interface|class|type) (\w+)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `${name}: string`,
    optionalParameter: (name) => `${name} = 7`,
    aroundDeclaration: ['namespace Enclosure {', '}'],
    aroundStatements: statement,
    types: [
      ['string', 'Uint8Array'],
      ['number', 'bigint'],
      ['boolean', 'number'],
    ],
    constantLine: /^(?:export )?const ([A-Z]\w+) = ('[^']*'|\d+)$/,
  },
  {
    name: 'Go',
    endings: ['.go'],
    functionLine: /^()func (?:\(\w+ \*?\w+\) )?(\w+)\(/,
    typeLine: /^type (\w+) (?:struct|interface|func)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `${name} string`,
    optionalParameter: null,
    aroundDeclaration: null,
    aroundStatements: bare,
    types: [
      ['string', '[]byte'],
      ['int', 'int64'],
      ['error', 'bool'],
      ['bool', 'int'],
    ],
    constantLine: /^(?:const |var |\t)([A-Z]\w+) += ("[^"]*"|\d+)$/,
  },
  {
    name: 'Python',
    endings: ['.py'],
    functionLine: /^(\s*)(?:async )?def (\w+)\(/,
    typeLine: /^class (\w+)/,
    isIndented: true,
    comment: '#',
    parameter: (name) => `${name}`,
    optionalParameter: (name) => `${name}=7`,
    aroundDeclaration: ['if sys.version_info >= (3, 9):', ''],
    aroundStatements: (condition) => [`if ${condition}:`, ''],
    types: [
      ['str', 'bytes'],
      ['int', 'float'],
      ['bool', 'int'],
    ],
    constantLine: /^([A-Z][A-Z_]+) = ("[^"]*"|\d+)$/,
  },
  {
    name: 'Rust',
    endings: ['.rs'],
    functionLine: /^(\s*)(?:pub(?:\(\w+\))? )?(?:const )?(?:async )?fn (\w+)[(<]/,
    typeLine: /^(?:pub(?:\(\w+\))? )?(?:struct|enum|trait) (\w+)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `${name}: u32`,
    optionalParameter: null,
    aroundDeclaration: ['enclosing! {', '}'],
    aroundStatements: bare,
    types: [
      ['&str', 'String'],
      ['usize', 'u32'],
      ['bool', 'u8'],
      ['String', 'Vec<u8>'],
    ],
    constantLine: /^(?:pub )?const ([A-Z_]+): [\w&' ]+ = ("[^"]*"|\d+);$/,
  },
  {
    name: 'C++',
    endings: ['.h', '.cc', '.cpp'],
    functionLine:
      /^(\s*)(?:static |inline |constexpr |FMT_CONSTEXPR |FMT_API |FMT_INLINE )*(?:auto|void|bool|int|size_t|double|unsigned|std::string|const char\*|uint32_t|uint64_t) (\w+)\(/,
    typeLine: /^(?:class|struct) (\w+) (?:final )?(?::[^:]|\{)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `int ${name}`,
    optionalParameter: (name) => `int ${name} = 7`,
    aroundDeclaration: ['namespace enclosure {', '}'],
    aroundStatements: statement,
    types: [
      ['int', 'long'],
      ['bool', 'int'],
      ['size_t', 'unsigned'],
      ['double', 'float'],
    ],
    constantLine: /^(?:static )?(?:constexpr|const) \w+ (\w+) = ("[^"]*"|\d+);$/,
  },
  {
    name: 'Swift',
    endings: ['.swift'],
    functionLine:
      /^(\s*)(?:@\w+ )?(?:(?:public|open|private|internal|fileprivate|static|override|final|mutating|class) )*func (\w+)[(<]/,
    typeLine: /^(?:(?:public|open|private|final|internal|fileprivate) )*(?:class|struct|protocol|enum) (\w+)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `${name}: Int`,
    optionalParameter: (name) => `${name}: Int = 7`,
    aroundDeclaration: ['extension Enclosure {', '}'],
    aroundStatements: bare,
    types: [
      ['String', 'Substring'],
      ['Int', 'UInt'],
      ['Bool', 'Int'],
      ['Data', 'String'],
    ],
    constantLine: /^\s*(?:public |static |private )*let (\w+)(?:: \w+)? = ("[^"]*"|\d+)$/,
  },
  {
    name: 'Kotlin',
    endings: ['.kt'],
    functionLine:
      /^(\s*)(?:(?:public|private|internal|protected|override|open|inline|suspend|operator|infix) )*fun (?:<[^>]*> )?(?:\w+\.)?(\w+)\(/,
    typeLine: /^(?:(?:public|open|private|data|abstract|sealed|internal) )*(?:class|interface|object) (\w+)/,
    isIndented: false,
    comment: '//',
    parameter: (name) => `${name}: Int`,
    optionalParameter: (name) => `${name}: Int = 7`,
    aroundDeclaration: ['object Enclosure {', '}'],
    aroundStatements: statement,
    types: [
      ['String', 'CharSequence'],
      ['Int', 'Long'],
      ['Boolean', 'Int'],
      ['Any', 'String'],
    ],
    constantLine: /^\s*(?:private |internal )?const val (\w+)(?:: \w+)? = ("[^"]*"|\d+)$/,
  },
];
