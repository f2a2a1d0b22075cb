"""Commands: one record each; menus, keys and the command search are views of them."""
