; Elements, in JavaScript and TypeScript.
(jsx_opening_element name: (identifier) @reference.call (#capital? @reference.call))
(jsx_self_closing_element name: (identifier) @reference.call (#capital? @reference.call))
(jsx_opening_element
  name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element
  name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_opening_element name: (identifier) @ignore)
(jsx_self_closing_element name: (identifier) @ignore)
(jsx_closing_element name: (_) @ignore)
